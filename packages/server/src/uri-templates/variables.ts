/** The type of a template's variables in a handler, read from the template's text. An unknown text allows any names. */
export type VariablesOf<Template extends string> = string extends Template
  ? { readonly [name: string]: string | readonly string[] }
  : { readonly [Name in Always<Template>]: string } & {
      readonly [Name in Sometimes<Template>]?: string;
    } & { readonly [Name in Lists<Template>]?: readonly string[] };

type Expressions<Template> = Template extends `${string}{${infer Inner}}${infer Rest}`
  ? Inner | Expressions<Rest>
  : never;

// A plain or reserved expression of one variable always has a value; in all others each is optional.
type Optional<Expression> = Expression extends `${'/' | '.' | ';' | '?' | '&' | '#'}${infer List}`
  ? Names<List>
  : Expression extends `${string},${string}`
    ? Names<Expression extends `+${infer List}` ? List : Expression>
    : never;
type Certain<Expression> = Expression extends
  | `${'/' | '.' | ';' | '?' | '&' | '#'}${string}`
  | `${string},${string}`
  ? never
  : Expression extends `+${infer Name}`
    ? Name
    : Expression;

type Names<List> = List extends `${infer Name},${infer Rest}` ? Name | Names<Rest> : List;
type Bare<Name> = Name extends `${infer Text}:${string}` ? Text : Name;
type Exploded<Name> = Name extends `${infer Text}*` ? Text : never;
type Single<Name> = Name extends `${string}*` ? never : Bare<Name>;

type Always<Template> = Single<Certain<Expressions<Template>>> & string;
type Sometimes<Template> = Single<Optional<Expressions<Template>>> & string;
type Lists<Template> = Exploded<Certain<Expressions<Template>> | Optional<Expressions<Template>>> & string;
