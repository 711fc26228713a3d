/**
 * The official conformance cases of CEL (github.com/google/cel-spec, tests/simple), from the
 * package with the test data: expressions with variables and results.
 */
import { getConformanceSuite } from '@bufbuild/cel-spec/testdata/tests.js'
import { compile } from '../../src/engine/cel/compile'
import { Environment } from '../../src/engine/cel/environment'
import { activationOf } from '../../src/engine/cel/evaluation/frame'
import { librariesOf } from '../../src/engine/cel/library/libraries'
import { BOOL, BYTES, DOUBLE, DURATION, DYN, formatType, INT, listOf, mapOf, NULL, opaque, STRING, TIMESTAMP, type Type, typeOf, UINT } from '../../src/engine/cel/types/type' // biome-ignore format: one line
import { equal } from '../../src/engine/cel/values/equality'
import {
  ArrayList,
  Duration,
  EntriesMap,
  Timestamp,
  TypeValue,
  UInt,
  type Value,
} from '../../src/engine/cel/values/value'

type Suite = ReturnType<typeof getConformanceSuite>
type Test = NonNullable<Suite['tests'][number]>['original']
/** A Protobuf message whose field is selected by `case`. */
interface OneOf {
  case?: string | undefined
  value?: unknown
}

export interface ConformanceCase {
  /** `file/section/case` */
  name: string
  test: Test
  /** The type from the reference checker. */
  type: string | undefined
  /** The tree with all types, as the reference checker prints it. */
  checkedTree: string | undefined
}

export function conformanceCases(): ConformanceCase[] {
  const cases: ConformanceCase[] = []
  const visit = ({ suites, tests }: Suite, path: string) => {
    for (const { original, type, checkedAst } of tests)
      cases.push({
        name: `${path}/${original.name}`,
        test: original,
        type,
        checkedTree: checkedAst,
      })
    for (const suite of suites) visit(suite, path === '' ? suite.name : `${path}/${suite.name}`)
  }
  visit(getConformanceSuite(), '')
  return cases
}

/** A feature that a case needs and the environment lacks; such a case is skipped. */
export class Foreign {
  constructor(readonly reason: string) {}
}

const PRIMITIVES: Record<number, Type> = {
  1: BOOL,
  2: INT,
  3: UINT,
  4: DOUBLE,
  5: STRING,
  6: BYTES,
}
const WELL_KNOWN: Record<number, Type> = { 2: TIMESTAMP, 3: DURATION }

function typeOfMessage(message: { typeKind: OneOf } | undefined): Type {
  const { case: kind, value } = message?.typeKind ?? {}
  switch (kind) {
    case 'primitive':
      return PRIMITIVES[value as number] ?? DYN
    case 'wellKnown': {
      const type = WELL_KNOWN[value as number]
      if (type === undefined) throw new Foreign('protobuf messages')
      return type
    }
    case 'null':
      return NULL
    case 'dyn':
      return DYN
    case 'listType':
      return listOf(typeOfMessage((value as { elemType: { typeKind: OneOf } }).elemType))
    case 'mapType': {
      const { keyType, valueType } = value as Record<'keyType' | 'valueType', { typeKind: OneOf }>
      return mapOf(typeOfMessage(keyType), typeOfMessage(valueType))
    }
    case 'type':
      return typeOf(DYN)
    case 'abstractType': {
      const { name, parameterTypes } = value as {
        name: string
        parameterTypes: { typeKind: OneOf }[]
      }
      return opaque(name, ...parameterTypes.map(typeOfMessage))
    }
    default:
      throw new Foreign('protobuf messages')
  }
}

interface MessageValue {
  kind: OneOf
}

function valueOfMessage({ kind: { case: kind, value } }: MessageValue): Value {
  switch (kind) {
    case 'nullValue':
      return null
    case 'uint64Value':
      return new UInt(value as bigint)
    case 'listValue':
      return new ArrayList((value as { values: MessageValue[] }).values.map(valueOfMessage))
    case 'mapValue': {
      const map = new EntriesMap()
      for (const entry of (value as { entries: Record<'key' | 'value', MessageValue>[] }).entries) {
        map.add(valueOfMessage(entry.key), valueOfMessage(entry.value))
      }
      return map
    }
    case 'typeValue':
      return new TypeValue(value as string)
    case 'boolValue':
    case 'int64Value':
    case 'doubleValue':
    case 'stringValue':
    case 'bytesValue':
      return value as Value
    case 'objectValue':
      return wellKnownValue(value as { typeUrl: string; value: Uint8Array })
    default:
      throw new Foreign('protobuf messages')
  }
}

/** Only timestamps and durations of the messages have values of their own. */
function wellKnownValue({ typeUrl, value }: { typeUrl: string; value: Uint8Array }): Value {
  const fields = [0n, 0n, 0n]
  for (let at = 0; at < value.length; ) {
    const field = (value[at++] as number) >> 3
    let number = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = BigInt(value[at++] as number)
      number |= (byte & 0x7fn) << shift
      if (byte < 0x80n) break
    }
    fields[field] = BigInt.asIntN(64, number)
  }
  const nanoseconds =
    (fields[1] as bigint) * 1_000_000_000n + BigInt.asIntN(32, fields[2] as bigint)
  if (typeUrl.endsWith('google.protobuf.Duration')) return new Duration(nanoseconds)
  if (typeUrl.endsWith('google.protobuf.Timestamp')) return new Timestamp(nanoseconds)
  throw new Foreign('protobuf messages')
}

/** Compiles the expression of a case with its variables. @throws Foreign */
export function compiled({ test }: ConformanceCase) {
  if (/\b(?:google\.protobuf\.\w+|TestAllTypes|GlobalEnum)\b/.test(test.expr))
    throw new Foreign('protobuf messages')
  if (test.disableMacros) throw new Foreign('environments without macros')
  const variables: Record<string, Type> = {}
  for (const { name, declKind } of test.typeEnv) {
    if (declKind.case !== 'ident') throw new Foreign('functions of the case itself')
    variables[name] = typeOfMessage(declKind.value.type as { typeKind: OneOf })
  }
  const values: Record<string, Value> = {}
  for (const [name, { kind }] of Object.entries(test.bindings)) {
    if (kind.case !== 'value') throw new Foreign('unknown values')
    values[name] = valueOfMessage(kind.value as MessageValue)
    variables[name] ??= DYN
  }
  const environment = new Environment({
    variables,
    libraries: librariesOf('1.37', 'stored'),
    optionalSyntax: true,
    strictCost: true,
  })
  const result = compile(test.expr, environment)
  // The server has no container and always checks. Cases that do not depend on either still apply.
  const inContainer =
    test.container !== '' &&
    Object.keys(variables).some((name) => name.startsWith(`${test.container}.`))
  if (inContainer || (result.program === undefined && test.container !== ''))
    throw new Foreign('containers')
  const isError = (test.resultMatcher as OneOf).case === 'evalError'
  if (result.program === undefined && test.disableCheck && !isError)
    throw new Foreign('expressions that are not checked before they are evaluated')
  return { values, ...result }
}

/** @returns the type if it differs from the reference checker's, else undefined. @throws Foreign */
export function otherType(one: ConformanceCase): string | undefined {
  const { program } = compiled(one)
  const found = program && formatType(program.type)
  return found === one.type || one.type === undefined ? undefined : found
}

/** @returns the difference from the expected result, undefined if there is none. @throws Foreign */
export function runCase(one: ConformanceCase): string | undefined {
  const { test } = one
  const { program, issues, values } = compiled(one)
  const { case: kind, value: expected } = test.resultMatcher as OneOf
  if (kind === 'unknown' || kind === 'anyUnknowns') throw new Foreign('unknown values')
  if (program === undefined) return kind === 'evalError' ? undefined : `does not compile: ${issues}`
  if (test.checkOnly) return undefined
  const { value, error } = program.evaluate(activationOf(values), { limit: 10_000_000 })
  if (kind === 'evalError')
    return error === undefined ? `came to ${show(value)}, not to an error` : undefined
  if (value === undefined) return `came to an error: ${error}`
  const wanted = wantedValue(kind, expected)
  if (equal(value, wanted) && sameType(value, wanted)) return undefined
  return Number.isNaN(value) && Number.isNaN(wanted)
    ? undefined
    : `came to ${show(value)}, not to ${show(wanted)}`
}

function wantedValue(kind: string | undefined, expected: unknown): Value {
  if (kind === undefined) return true
  return valueOfMessage(
    kind === 'typedResult'
      ? ((expected as { result?: MessageValue }).result as MessageValue)
      : (expected as MessageValue),
  )
}

/** Numbers of different types are equal, but are different results. */
const sameType = (a: Value, b: Value): boolean =>
  typeof a === typeof b && a?.constructor.name.slice(-3) === b?.constructor.name.slice(-3)

const show = (value: unknown): string =>
  JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}` : inner))
