"""What GitHub's descriptions do not say, and this stand-in assumes. Nothing of it is proved by a test here.

The sources are observations and documentation pages, named with each; `GITHUB_LIVE=1` is for checking them.
"""

from dataclasses import dataclass

#: Statuses that REST answers may have without the description listing them (documentation, "Troubleshooting",
#: "Rate limits" and "Best practices": 401, 403, 422, 429, 5xx, and 301, 302, 307 of any resource).
UNDOCUMENTED = frozenset({301, 302, 304, 307, 401, 403, 404, 410, 422, 429, 500, 502, 503})

#: The error text of a body that is too long (seen in many issues); code points.
LONGEST_BODY = 65536
LONGEST_RELEASE = 125000
TOO_LONG = "Body is too long (maximum is 65536 characters)"

#: The texts of refusals, as users quote them.
BAD_CREDENTIALS = "Bad credentials"
PRIMARY = "API rate limit exceeded for installation ID 1234."
SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
FORBIDDEN = "Resource not accessible by integration"
LOCKED = "Unable to create comment because issue is locked."
GONE = "This issue was deleted"
NOT_RUNNING = "Cannot cancel a workflow run that is completed."

#: A list ends at 100 entries a page; REST comments ascend by id (documentation).
PER_PAGE = 100

#: What is public can be read without a token; a list of issues holds the pull requests too (documentation).

#: GraphQL follows the old name of a repository, and answers with the new one; REST redirects with 301.
#: A bot is `name` where it is an author in GraphQL, and `name[bot]` as viewer and in REST.


@dataclass(frozen=True)
class Needs:
    """The permission that an operation needs, by the documentation's tables."""

    area: str
    level: str


#: A token without the permission gets 403 by REST, and FORBIDDEN with status 200 by GraphQL.
REST_NEEDS = {
    "POST /repos/{owner}/{repo}/issues/{issue_number}/comments": Needs("issues", "write"),
    "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}": Needs("issues", "write"),
    "DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}": Needs("issues", "write"),
    "POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions": Needs("issues", "write"),
    "POST /repos/{owner}/{repo}/issues/{issue_number}/reactions": Needs("issues", "write"),
    "PATCH /repos/{owner}/{repo}/releases/{release_id}": Needs("contents", "write"),
    "POST /repos/{owner}/{repo}/actions/runs/{run_id}/cancel": Needs("actions", "write"),
    "POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun-failed-jobs": Needs("actions", "write"),
    "GET /repos/{owner}/{repo}/actions/runners": Needs("administration", "read"),
    "GET /repos/{owner}/{repo}/actions/permissions/fork-pr-contributor-approval": Needs(
        "administration", "read"
    ),
    "GET /orgs/{org}/actions/runners": Needs("organization_self_hosted_runners", "read"),
    "GET /orgs/{org}/actions/runner-groups": Needs("organization_self_hosted_runners", "read"),
    "GET /orgs/{org}/actions/runner-groups/{runner_group_id}/repositories": Needs(
        "organization_self_hosted_runners", "read"
    ),
}
MUTATIONS_NEED = {
    "addDiscussionComment": "discussions",
    "updateDiscussionComment": "discussions",
    "deleteDiscussionComment": "discussions",
    "createDiscussion": "discussions",
    "updateDiscussion": "discussions",
    "deleteDiscussion": "discussions",
    "minimizeComment": "issues",
}
