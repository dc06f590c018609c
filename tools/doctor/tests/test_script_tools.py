"""Tools and parameters that are found in JavaScript and TypeScript source."""

import json
from pathlib import Path

import pytest

from tools.doctor.tests.sources import check_files, tools

NAMES = {
    "registerTool": ("s.registerTool('a', { description: 'A.' }, async () => {});", {"a"}),
    "tool": ("s.tool('a', 'A.', { x: z.string() }, async () => {});", {"a"}),
    "tool without a description": ("s.tool('a', { x: z.string() }, cb);", {"a"}),
    "tool without anything": ("s.tool('a', async () => ({}));", {"a"}),
    "addTool": ("s.addTool({ name: 'a', description: 'A.', parameters: z.object({}), execute: f });", {"a"}),
    "name of a constant": ("const N = 'a' as const; s.registerTool(N, {}, f);", {"a"}),
    "name of a template": ("const P = 'p'; s.registerTool(`${P}_q`, {}, f);", {"p_q"}),
    "name of an enum": ("enum T { A = 'a', B = 'b' }\ns.tool(T.B, 'B.', f);", {"b"}),
    "name of an enum as compiled": (
        "var T;\n(function (T) { T['A'] = 'a'; })(T || (T = {}));\ns.tool(T.A, 'A.', f);",
        {"a"},
    ),
    "static list": (
        (
            "s.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [\n"
            "{ name: 'a', inputSchema: { type: 'object' } }, "
            "{ name: 'b', inputSchema: { type: 'object' } }] }));"
        ),
        {"a", "b"},
    ),
    "loop": (
        (
            "const all = [{ name: 'a', schema: {} }, { name: 'b', schema: {} }];\n"
            "for (const t of all) s.tool(t.name, t.description, t.schema, t.run);"
        ),
        {"a", "b"},
    ),
    "forEach": ("[{ n: 'a' }, { n: 'b' }].forEach((t) => s.registerTool(t.n, {}, f));", {"a", "b"}),
    "forEach with destructuring": ("[{ n: 'a' }].forEach(({ n }) => { s.registerTool(n, {}, f); });", {"a"}),
    "map to a list": (
        (
            "const all = [{ id: 'a', z: z.object({}) }];\n"
            "const tools = all.map((t) => ({ name: t.id, inputSchema: zodToJsonSchema(t.z) }));"
        ),
        {"a"},
    ),
    "helper": (
        "function reg(n, d) { s.registerTool(n, { description: d }, f); }\nreg('a', 'A.'); reg('b', 'B.');",
        {"a", "b"},
    ),
    "objects of an unknown list": (
        (
            "for (const t of load()) s.registerTool(t.name, "
            "{ description: t.description, inputSchema: t.schema }, f);\n"
            "export const one = { name: 'a', description: 'A.', schema: z.object({}) };"
        ),
        {"a"},
    ),
    "class": (
        "class A extends MCPTool { name = 'a'; description = 'A.'; schema = {}; async execute() {} }",
        {"a"},
    ),
    "other calls of that name": ("ai.tool({ description: 'x' }); z.tool('a', f); chai.tool(1, 2);", set()),
}


@pytest.mark.parametrize("case", NAMES)
@pytest.mark.parametrize("suffix", ["ts", "js"])
def test_names(case: str, suffix: str, tmp_path: Path) -> None:
    source, names = NAMES[case]
    if suffix == "js" and ("enum T {" in source or " as const" in source):
        source = source.replace("enum T { A = 'a', B = 'b' }", "const T = { A: 'a', B: 'b' };").replace(
            " as const", ""
        )
    assert set(tools(tmp_path, {f"server.{suffix}": source})) == names


ZOD = """
import { z } from "zod";
import { paging, Zone } from "./shared.js";

const base = z.object({ id: z.string().describe("Id."), gone: z.number() });
server.registerTool("find", {
  title: "Find",
  description: "Find" + " things.",
  annotations: { readOnlyHint: true },
  inputSchema: base.omit({ gone: true }).extend({
    ...paging,
    zone: Zone,
    kind: z.enum(["a", "b"]).optional().describe("Kind."),
    note: z.string().nullable().default(null),
    size: z.number().default(3),
    deep: other.schema,
  }).shape,
}, async () => ({}));
"""
SHARED = """
import { z } from "zod";
export const paging = { page: z.number().int().min(1).optional().describe("Page.") };
const zone = z.string().meta({ description: "Zone." });
export { zone as Zone };
"""


def test_parameters_of_zod(tmp_path: Path) -> None:
    tool = tools(tmp_path, {"src/server.ts": ZOD, "src/shared.ts": SHARED})["find"]
    found = {one.name: one for one in tool.parameters}
    assert list(found) == ["id", "page", "zone", "kind", "note", "size", "deep"]
    assert {name for name, one in found.items() if one.required} == {"id", "zone", "deep"}
    assert {name: one.description.value for name, one in found.items() if one.description.value} == {
        "id": "Id.",
        "page": "Page.",
        "zone": "Zone.",
        "kind": "Kind.",
    }
    assert found["note"].nullable is True
    assert not found["deep"].description.missing
    assert found["kind"].type == '"a" | "b"'
    assert (tool.title, tool.description.value, dict(tool.annotations)) == (
        "Find",
        "Find things.",
        {"readOnlyHint": True},
    )


def test_commonjs_as_compiled(tmp_path: Path) -> None:
    found = tools(
        tmp_path,
        {
            "dist/names.js": 'exports.FIND = void 0;\nexports.FIND = "find_it";\n',
            "dist/index.js": 'const names_js_1 = require("./names.js");\n'
            'server.tool(names_js_1.FIND, "Find.", {}, async () => ({}));\n',
        },
    )
    assert set(found) == {"find_it"}


def test_built_files_are_left_where_the_sources_are_there(tmp_path: Path) -> None:
    source = "s.registerTool('a', {}, f);"
    found, _ = check_files(tmp_path, {"src/server.ts": source, "dist/server.js": source})
    assert [tool.place.file for tool in found.tools] == ["src/server.ts"]


def test_of_twins_in_two_forms_one_is_read(tmp_path: Path) -> None:
    source = "s.registerTool('a', {}, f);"
    found, _ = check_files(tmp_path, {"dist/index.js": source, "dist/index.cjs": source})
    assert [tool.place.file for tool in found.tools] == ["dist/index.js"]


def test_a_null_default_of_a_schema(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"n": {"type": "string", "description": "N.", "default": None}}}
    source = f"const t = [{{ name: 'a', description: 'A.', inputSchema: {json.dumps(schema)} }}];"
    _, report = check_files(tmp_path, {"server.js": source})
    (finding,) = report.findings
    assert (finding.rule_id, finding.location.parameter) == ("doctor/null-default", "n")
