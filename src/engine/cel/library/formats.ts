/** `format.dns1123Label().validate(name)`; for new expressions from Kubernetes 1.32. */
import { entryOf } from '../../core/object'
import type { NameRule } from '../../validation/name-rule'
import {
  dns1035Label,
  dns1035LabelProblems,
  dnsLabel,
  dnsLabelProblems,
  dnsSubdomain,
  dnsSubdomainProblems,
  labelValueProblems,
  qualifiedNameProblems,
} from '../../validation/names'
import { add, fixed, PATTERN, scaled, TRAVERSAL, times } from '../cost/factors'
import { parseTimestamp } from '../values/time'
import { ArrayList, OpaqueValue, OptionalValue, sizeOf, type Value } from '../values/value'
import type { FunctionDefinition } from './function'
import type { Library } from './library'

interface NamedFormat {
  problems(text: string): readonly string[]
  patternSize: number
}

/** Every check costs as much as the longest pattern. */
const LARGEST_PATTERN = 1000

const asPrefix = (rule: NameRule) => (text: string) => rule(text, true)

const matching = (pattern: RegExp, problem: string) => (text: string) =>
  pattern.test(text) ? [] : [problem]

const FORMATS: Readonly<Record<string, NamedFormat>> = {
  dns1123Label: { problems: dnsLabelProblems, patternSize: 30 },
  dns1123Subdomain: { problems: dnsSubdomainProblems, patternSize: 60 },
  dns1035Label: { problems: dns1035LabelProblems, patternSize: 30 },
  qualifiedName: { problems: qualifiedNameProblems, patternSize: 60 },
  dns1123LabelPrefix: { problems: asPrefix(dnsLabel), patternSize: 30 },
  dns1123SubdomainPrefix: { problems: asPrefix(dnsSubdomain), patternSize: 60 },
  dns1035LabelPrefix: { problems: asPrefix(dns1035Label), patternSize: 30 },
  labelValue: { problems: labelValueProblems, patternSize: 40 },
  uri: {
    problems: matching(/^(?:[A-Za-z][A-Za-z0-9+.-]*:)?\/\S*$/, 'invalid URI for request'),
    patternSize: 1000,
  },
  uuid: {
    problems: matching(
      /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i,
      'does not match the UUID format',
    ),
    patternSize: 60,
  },
  byte: {
    problems: matching(
      /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
      'invalid base64',
    ),
    patternSize: 60,
  },
  date: {
    problems: (text) => (parseTimestamp(`${text}T00:00:00Z`) ? [] : ['invalid date']),
    patternSize: 60,
  },
  datetime: {
    problems: (text) => (parseTimestamp(text) ? [] : ['invalid datetime']),
    patternSize: 60,
  },
}

class FormatValue extends OpaqueValue {
  readonly typeName = 'kubernetes.NamedFormat'
  readonly goType = '*cel.Format'

  constructor(
    readonly name: string,
    readonly format: NamedFormat,
  ) {
    super()
  }

  override equals(other: Value): boolean | undefined {
    return other instanceof FormatValue ? other.name === this.name : undefined
  }
}

function validate({ format }: FormatValue, text: string): Value {
  const problems = format.problems(text)
  return problems.length === 0 ? OptionalValue.none : new OptionalValue(new ArrayList(problems))
}

const functions = (): FunctionDefinition[] => [
  ...Object.entries(FORMATS).map(([name, format]) => ({
    signature: `format.${name}() -> kubernetes.NamedFormat`,
    call: () => new FormatValue(name, format),
  })),
  {
    signature: 'format.named(string) -> optional_type(kubernetes.NamedFormat)',
    call: (name: string) => {
      const format = entryOf(FORMATS, name)
      return format === undefined
        ? OptionalValue.none
        : new OptionalValue(new FormatValue(name, format))
    },
  },
  {
    signature: 'kubernetes.NamedFormat.validate(string) -> optional_type(list(string))',
    call: validate,
    strictCost: true,
    cost: (_format, text) =>
      Math.ceil((1 + sizeOf(text)) * TRAVERSAL) * Math.ceil(LARGEST_PATTERN * PATTERN),
    estimate: ([, text]) => ({
      cost: times(
        scaled(add(text?.size ?? fixed(1), fixed(1)), TRAVERSAL),
        fixed(Math.ceil(LARGEST_PATTERN * PATTERN)),
      ),
    }),
  },
]

export const NAMED_FORMATS: Library = {
  get functions() {
    return functions()
  },
}
