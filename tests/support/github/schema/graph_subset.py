"""Cuts a GraphQL schema down to named types and fields, with whatever their arguments and values need."""

from graphql import (
    DocumentNode,
    EnumTypeDefinitionNode,
    FieldDefinitionNode,
    InputObjectTypeDefinitionNode,
    InputValueDefinitionNode,
    InterfaceTypeDefinitionNode,
    NamedTypeNode,
    ObjectTypeDefinitionNode,
    ScalarTypeDefinitionNode,
    TypeDefinitionNode,
    TypeNode,
    UnionTypeDefinitionNode,
)

BUILT_IN = {"String", "Int", "Float", "Boolean", "ID"}
Composite = ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode


def pruned(document: DocumentNode, subset: dict[str, list[str]]) -> DocumentNode:
    """`subset`: type -> its fields. Inputs, enums, scalars and unions come along by themselves, whole."""
    known = {node.name.value: node for node in document.definitions if isinstance(node, TypeDefinitionNode)}
    kept: dict[str, TypeDefinitionNode] = {}
    for name, fields in subset.items():
        node = known[name]
        assert isinstance(node, Composite), name
        kept[name] = _cut(node, set(fields), subset)
    for node in list(kept.values()):
        assert isinstance(node, Composite)
        for field in node.fields or ():
            for reached in (_name(field.type), *(_name(item.type) for item in field.arguments or ())):
                _reach(reached, known, kept, subset)
    return DocumentNode(definitions=tuple(kept[name] for name in sorted(kept)))


def _cut(node: Composite, wanted: set[str], subset: dict[str, list[str]]) -> Composite:
    fields = tuple(_field(item) for item in node.fields or () if item.name.value in wanted)
    missing = wanted - {item.name.value for item in fields}
    assert not missing, f"{node.name.value}: {missing}"
    # An interface whose fields are not all wanted here is left away; what stays is valid.
    interfaces = tuple(
        item for item in node.interfaces or () if wanted.issuperset(subset.get(item.name.value, ["?"]))
    )
    return type(node)(name=node.name, fields=fields, interfaces=interfaces)


def _field(node: FieldDefinitionNode) -> FieldDefinitionNode:
    return FieldDefinitionNode(
        name=node.name, type=node.type, arguments=tuple(_input(item) for item in node.arguments or ())
    )


def _input(node: InputValueDefinitionNode) -> InputValueDefinitionNode:
    return InputValueDefinitionNode(name=node.name, type=node.type, default_value=node.default_value)


def _name(node: TypeNode) -> str:
    while not isinstance(node, NamedTypeNode):
        node = node.type  # type: ignore[attr-defined]
    return node.name.value


def _reach(
    name: str,
    known: dict[str, TypeDefinitionNode],
    kept: dict[str, TypeDefinitionNode],
    subset: dict[str, list[str]],
) -> None:
    if name in kept or name in BUILT_IN:
        return
    node = known[name]
    if isinstance(node, InputObjectTypeDefinitionNode):
        fields = tuple(_input(item) for item in node.fields or ())
        kept[name] = InputObjectTypeDefinitionNode(name=node.name, fields=fields)
        for item in fields:
            _reach(_name(item.type), known, kept, subset)
    elif isinstance(node, EnumTypeDefinitionNode):
        values = tuple(type(item)(name=item.name) for item in node.values or ())
        kept[name] = EnumTypeDefinitionNode(name=node.name, values=values)
    elif isinstance(node, ScalarTypeDefinitionNode):
        kept[name] = ScalarTypeDefinitionNode(name=node.name)
    elif isinstance(node, UnionTypeDefinitionNode):
        types = tuple(item for item in node.types or () if item.name.value in subset)
        kept[name] = UnionTypeDefinitionNode(name=node.name, types=types)
    else:
        raise AssertionError(f"subset.toml does not name the type {name}")
