import type { SchemaDialect } from '../src/interpreter.js';

/** A schema, values that fit it, and values that do not. */
export interface SchemaRow {
  readonly title: string;
  readonly dialect: SchemaDialect;
  readonly schema: unknown;
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
}

/** Every keyword of 2020-12. A line has the title, the schema, values that fit, values that do not. */
export const keywordRows: readonly SchemaRow[] = read(String.raw`
  true | true | [1,null] | []
  false | false | [] | [1,null]
  nothing | {} | [1,{}] | []
  unknown keywords | {"format":"email","x-own":1,"contentEncoding":"base64"} | ["no mail"] | []
  a type | {"type":"object"} | [{}] | [[],null,"x",1]
  types | {"type":["string","null"]} | ["x",null] | [1,{}]
  whole numbers | {"type":"integer"} | [1,1,-3,9007199254740991] | [1.5,"1",null,9007199254740993,-100000000000000000000]
  a constant | {"const":{"a":[1,{"b":null}]}} | [{"a":[1,{"b":null}]}] | [{"a":[1,{}]},{"a":1},1]
  a constant in another order | {"const":{"a":1,"b":2}} | [{"b":2,"a":1}] | [{"a":1}]
  a choice | {"enum":[1,"2",null,[1],{"a":1}]} | [1,"2",null,[1],{"a":1}] | ["1",2,[],false,[2]]
  a choice by value alone | {"enum":[0,1]} | [0,0,1] | [false,true,"0"]
  bounds | {"minimum":1,"maximum":3} | [1,3,2.5,"x"] | [0.9,3.1]
  open bounds | {"exclusiveMinimum":1,"exclusiveMaximum":3} | [1.1,2.9] | [1,3]
  multiples | {"multipleOf":0.01} | [0.07,1.1,4.35,19.99] | [0.075,0.001]
  multiples of a small number | {"multipleOf":0.0001} | [0.0075] | [0.00751]
  multiples of large numbers | {"multipleOf":3} | [3e+21,9] | [1.000000000000001e+21,10]
  text lengths in characters | {"minLength":2,"maxLength":3} | ["ab","💩💩","💩💩💩"] | ["a","💩","abcd","💩💩💩💩"]
  patterns | {"pattern":"^\\p{L}+$"} | ["Åse",1] | ["a1"]
  patterns anywhere | {"pattern":"b"} | ["abc"] | ["ac"]
  list lengths | {"minItems":1,"maxItems":2} | [[1],[1,2],"x"] | [[],[1,2,3]]
  unlike members | {"uniqueItems":true} | [[1,"1",[1],{"a":1},null,false,0]] | [[1,1],[{"a":1,"b":2},{"b":2,"a":1}],[[1],[1]],[0,0]]
  a list of one sort | {"items":{"type":"number"}} | [[],[1,2]] | [[1,"x"]]
  a tuple | {"prefixItems":[{"type":"number"},{"type":"string"}]} | [[],[1],[1,"x",null]] | [["x"],[1,2]]
  a closed tuple | {"prefixItems":[{}],"items":false} | [[1]] | [[1,2]]
  a tuple and a rest | {"prefixItems":[{}],"items":{"type":"string"}} | [[1,"a"]] | [[1,2]]
  a member that is there | {"contains":{"const":1}} | [[0,1]] | [[],[0]]
  so many of them | {"contains":{"const":1},"minContains":2,"maxContains":3} | [[1,1],[1,1,1,0]] | [[1],[1,1,1,1]]
  a tuple and one that is there | {"allOf":[{"prefixItems":[{"minLength":1}]}],"prefixItems":[{"enum":[1,2]}],"contains":{"const":1}} | [[1]] | [[],[2]]
  none can be there | {"contains":false} | [1] | [[],[1]]
  none needed | {"contains":{"const":1},"minContains":0} | [[],[0]] | []
  none needed, one allowed | {"contains":{"const":1},"minContains":0,"maxContains":1} | [[],[1]] | [[1,1]]
  properties | {"properties":{"a":{"type":"number"}}} | [{},{"a":1,"b":"x"},[]] | [{"a":"x"}]
  names of prototypes | {"required":["constructor"],"properties":{"toString":{"type":"string"}}} | [{"constructor":1}] | [{}]
  closed | {"properties":{"a":true},"patternProperties":{"^x":true},"additionalProperties":false} | [{"a":1,"xy":2}] | [{"b":1},{"__proto__":1}]
  a rest | {"properties":{"a":true},"additionalProperties":{"type":"number"}} | [{"a":"x","b":1}] | [{"b":"x"}]
  names by pattern | {"patternProperties":{"^n":{"type":"number"},"s$":{"type":"string"}}} | [{"n":1,"s":"x"}] | [{"n":"x"},{"ns":1}]
  names | {"propertyNames":{"maxLength":2}} | [{"ab":1},{}] | [{"abc":1}]
  counted | {"minProperties":1,"maxProperties":2} | [{"a":1}] | [{},{"a":1,"b":2,"c":3}]
  what needs what | {"dependentRequired":{"a":["b","c"]}} | [{},{"b":1},{"a":1,"b":2,"c":3}] | [{"a":1,"b":2}]
  what changes with what | {"dependentSchemas":{"a":{"required":["b"]}}} | [{},{"a":1,"b":1}] | [{"a":1}]
  not | {"not":{"type":"string"}} | [1] | ["x"]
  all | {"allOf":[{"minimum":1},{"maximum":2}]} | [1,2] | [0,3]
  any | {"anyOf":[{"type":"string"},{"minimum":2}]} | ["x",2] | [1]
  one | {"oneOf":[{"minimum":1},{"maximum":2}]} | [0,3] | [1,2]
  if | {"if":{"const":1},"then":false,"else":{"const":2}} | [2] | [1,3]
  if alone | {"if":{"const":1}} | [1,2] | []
  then alone | {"then":false,"else":false} | [1] | []
  a reference | {"$ref":"#/$defs/a%20~1~0","$defs":{"a /~":{"type":"string"}}} | ["x"] | [1]
  a reference and more | {"$ref":"#/$defs/s","maxLength":1,"$defs":{"s":{"type":"string"}}} | ["x"] | ["xx",1]
  itself | {"type":"object","properties":{"a":{"$ref":"#"}},"additionalProperties":false} | [{"a":{"a":{}}}] | [{"a":{"b":1}}]
  an anchor | {"$ref":"#s","$defs":{"s":{"$anchor":"s","type":"string"}}} | ["x"] | [1]
  an identity inside | {"$id":"https://t.example/root","$ref":"inner","$defs":{"i":{"$id":"inner","$ref":"#/$defs/s","$defs":{"s":{"type":"string"}}},"s":{"type":"number"}}} | ["x"] | [1]
  data that looks like a schema | {"const":{"$ref":"https://t.example"}} | [{"$ref":"https://t.example"}] | [{}]
  a place no keyword leads to | {"$ref":"#/x-own/s","x-own":{"s":{"type":"string"}}} | ["x"] | [1]
  undefined members are absent | {"required":["a"]} | [{"a":null}] | [{}]
`);

/** The members that `unevaluatedProperties` and `unevaluatedItems` count as evaluated. */
export const unevaluatedRows: readonly SchemaRow[] = read(`
  beside properties | {"properties":{"a":true},"unevaluatedProperties":false} | [{"a":1}] | [{"b":1}]
  across allOf | {"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false} | [{"a":1}] | [{"a":1,"b":1}]
  across a reference | {"$ref":"#/$defs/o","$defs":{"o":{"properties":{"a":true}}},"unevaluatedProperties":false} | [{"a":1}] | [{"b":1}]
  in the branch that fits | {"anyOf":[{"properties":{"a":{"const":1}},"required":["a"]},{"properties":{"b":true},"required":["b"]}],"unevaluatedProperties":false} | [{"a":1},{"b":1},{"a":1,"b":1}] | [{"a":2,"b":1}]
  in oneOf | {"oneOf":[{"properties":{"a":true},"required":["a"]},{"properties":{"b":true},"required":["b"]}],"unevaluatedProperties":false} | [{"a":1},{"b":1}] | [{"a":1,"c":1}]
  by if and then | {"if":{"properties":{"a":{"const":1}},"required":["a"]},"then":{"properties":{"b":true}},"else":{"properties":{"c":true}},"unevaluatedProperties":false} | [{"a":1,"b":1},{"c":1}] | [{"a":1,"c":1},{"b":1}]
  not by not | {"not":{"not":{"properties":{"a":true}}},"unevaluatedProperties":false} | [{}] | [{"a":1}]
  not by a cousin | {"allOf":[{"properties":{"a":true}},{"unevaluatedProperties":false}]} | [{}] | [{"a":1}]
  by what depends | {"dependentSchemas":{"a":{"properties":{"b":true}}},"properties":{"a":true},"unevaluatedProperties":false} | [{"a":1,"b":1}] | [{"b":1}]
  with a schema | {"properties":{"a":true},"unevaluatedProperties":{"type":"number"}} | [{"a":"x","b":1}] | [{"b":"x"}]
  nested | {"unevaluatedProperties":false,"allOf":[{"properties":{"a":true},"unevaluatedProperties":true}]} | [{"a":1,"b":1}] | []
  inside a member | {"properties":{"m":{"properties":{"a":true},"unevaluatedProperties":false}},"unevaluatedProperties":false} | [{"m":{"a":1}}] | [{"m":{"b":1}},{"a":1}]
  items | {"prefixItems":[true],"unevaluatedItems":false} | [[1]] | [[1,2]]
  items across allOf | {"allOf":[{"prefixItems":[true,true]}],"prefixItems":[true],"unevaluatedItems":false} | [[1,2]] | [[1,2,3]]
  items after items | {"items":true,"unevaluatedItems":false} | [[1,2]] | []
  items that contains found | {"contains":{"const":1},"unevaluatedItems":{"type":"string"}} | [[1,"x",1]] | [[1,2]]
`);

/** Keywords that were different in earlier dialects; the dialect follows the title. */
export const olderRows: readonly SchemaRow[] = read(
  `
  nothing counts beside a reference | draft-07 | {"definitions":{"s":{"type":"string"}},"$ref":"#/definitions/s","maxLength":1} | ["xx"] | [1]
  an anchor is an identity | draft-07 | {"definitions":{"s":{"$id":"#s","type":"string"}},"allOf":[{"$ref":"#s"}]} | ["x"] | [1]
  a tuple | draft-07 | {"items":[{"type":"string"}],"additionalItems":false} | [["x"],[]] | [[1],["x",1]]
  a tuple of 2019 | 2019-09 | {"items":[{"type":"string"}],"additionalItems":{"type":"number"}} | [["x",1]] | [["x","y"]]
  additionalItems alone | draft-07 | {"additionalItems":false} | [[1]] | []
  dependencies | draft-07 | {"dependencies":{"a":["b"],"c":{"required":["d"]}}} | [{"a":1,"b":1},{}] | [{"a":1},{"c":1}]
  newer keywords | draft-07 | {"prefixItems":[false],"unevaluatedProperties":false,"dependentRequired":{"a":["b"]},"minContains":2,"contains":true} | [[1],{"a":1}] | [[]]
  one is enough | draft-07 | {"contains":{"const":1},"minContains":2} | [[1]] | [[2]]
  contains looks at nothing for 2019 | 2019-09 | {"contains":{"const":1},"unevaluatedItems":false} | [] | [[1]]
`,
  true,
);

function read(table: string, hasDialect = false): SchemaRow[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const cells = line.trim().split(' | ');
      const [title = ''] = cells;
      const dialect = (hasDialect ? cells[1] : '2020-12') as SchemaDialect;
      const [schema, good, bad] = cells.slice(hasDialect ? 2 : 1).map((cell) => JSON.parse(cell) as unknown);
      return { title, dialect, schema, good: good as unknown[], bad: bad as unknown[] };
    });
}
