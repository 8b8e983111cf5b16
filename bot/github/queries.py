"""The GraphQL documents. Bodies are read in full: the marker is their first line."""

_COMMENT = "id body url createdAt viewerDidAuthor author { __typename login }"
_SEEN = "databaseId isMinimized"
_PAGE = "pageInfo { hasPreviousPage startCursor }"

_THREAD = f"""
id locked closed repository {{ nameWithOwner }}
comments(last: 100, before: $before) {{ {_PAGE} nodes {{ {_COMMENT} {_SEEN} }} }}
"""

THREAD = f"""
query($owner: String!, $name: String!, $number: Int!, $before: String) {{
  viewer {{ login }}
  repository(owner: $owner, name: $name) {{
    nameWithOwner isArchived
    issueOrPullRequest(number: $number) {{
      ... on Issue {{ {_THREAD} }}
      ... on PullRequest {{ {_THREAD} }}
    }}
  }}
}}
"""

DISCUSSION = f"""
query($owner: String!, $name: String!, $number: Int!, $before: String) {{
  viewer {{ login }}
  repository(owner: $owner, name: $name) {{
    nameWithOwner isArchived hasDiscussionsEnabled
    discussion(number: $number) {{
      id repository {{ nameWithOwner }} locked closed
      comments(last: 100, before: $before) {{
        {_PAGE} nodes {{ {_COMMENT} {_SEEN} replies(last: 50) {{ nodes {{ {_COMMENT} {_SEEN} }} }} }}
      }}
    }}
  }}
}}
"""

#: `asked`: a comment, top-level or a reply; its thread is that of the top-level one.
REPLIES = f"""
query($owner: String!, $name: String!, $number: Int!, $asked: ID!, $before: String) {{
  viewer {{ login }}
  repository(owner: $owner, name: $name) {{
    nameWithOwner isArchived hasDiscussionsEnabled
    discussion(number: $number) {{ id repository {{ nameWithOwner }} locked closed }}
  }}
  node(id: $asked) {{
    ... on DiscussionComment {{
      id discussion {{ id }}
      replies(last: 100, before: $before) {{ {_PAGE} nodes {{ {_COMMENT} {_SEEN} }} }}
      replyTo {{ id replies(last: 100, before: $before) {{ {_PAGE} nodes {{ {_COMMENT} {_SEEN} }} }} }}
    }}
  }}
}}
"""

CATEGORY = f"""
query($owner: String!, $name: String!, $slug: String!, $after: String) {{
  viewer {{ login }}
  repository(owner: $owner, name: $name) {{
    id nameWithOwner isArchived hasDiscussionsEnabled
    discussionCategory(slug: $slug) {{ id slug }}
    discussionCategories(first: 25) {{ nodes {{ slug }} }}
    discussions(first: 100, after: $after, orderBy: {{field: CREATED_AT, direction: DESC}}) {{
      pageInfo {{ hasNextPage endCursor }} nodes {{ {_COMMENT} title category {{ slug }} }}
    }}
  }}
}}
"""

CREATE_DISCUSSION = """
mutation($input: CreateDiscussionInput!) { createDiscussion(input: $input) { discussion { id url } } }
"""
UPDATE_DISCUSSION = """
mutation($input: UpdateDiscussionInput!) { updateDiscussion(input: $input) { discussion { id url } } }
"""
ADD_COMMENT = """
mutation($input: AddDiscussionCommentInput!) { addDiscussionComment(input: $input) { comment { id url } } }
"""
UPDATE_COMMENT = """
mutation($input: UpdateDiscussionCommentInput!) {
  updateDiscussionComment(input: $input) { comment { id url } }
}
"""
DELETE_DISCUSSION = """
mutation($input: DeleteDiscussionInput!) { deleteDiscussion(input: $input) { discussion { id } } }
"""
DELETE_COMMENT = """
mutation($input: DeleteDiscussionCommentInput!) { deleteDiscussionComment(input: $input) { comment { id } } }
"""
MINIMIZE = """
mutation($input: MinimizeCommentInput!) {
  minimizeComment(input: $input) { minimizedComment { isMinimized minimizedReason } }
}
"""
ADD_REACTION = """
mutation($input: AddReactionInput!) { addReaction(input: $input) { reaction { content } } }
"""
REMOVE_REACTION = """
mutation($input: RemoveReactionInput!) { removeReaction(input: $input) { reaction { content } } }
"""
