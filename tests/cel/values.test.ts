/**
 * Results of functions and operators that are specific to the release. Recorded from kube-apiserver
 * 1.31.
 */
import { describe, expect, it } from 'vitest'
import { compile } from '../../src/engine/cel/compile'
import { activationOf } from '../../src/engine/cel/evaluation/frame'
import { serverEnvironment } from '../../src/engine/cel/server-environment'
import { toDouble, toDuration } from '../../src/engine/cel/values/conversions'
import { Duration, EvaluationError } from '../../src/engine/cel/values/value'
import { isFormat } from '../../src/engine/validation/custom-objects/formats'

const environment = serverEnvironment({}, { use: 'stored', strictCost: true })

function outcome(text: string): unknown {
  const { program, issues } = compile(text, environment)
  if (program === undefined) throw new Error(issues)
  const { value, error } = program.evaluate(activationOf({}), { limit: 1_000_000 })
  return error ?? value
}

describe('an expression', () => {
  it.each([
    // Numbers inside lists and maps have six decimals, whatever their size.
    [
      "'%s'.format([[1.5, 1e21, -0.0, 1e-7]])",
      '[1.500000, 1000000000000000000000.000000, -0.000000, 0.000000]',
    ],
    ["'%s'.format([{'a': 2.5}])", '{"a":2.500000}'],
    ["'%s'.format([[double('inf'), 'q\\x01']])", '["+Inf", "q\\x01"]'],
    ["'%.101f'.format([1.0])", `1.${'0'.repeat(101)}`],
    ["'%f'.format([1e21])", '1,000,000,000,000,000,000,000.000000'],
    ["'%.0f/%.0f'.format([2.5, 3.5])", '2/4'],
    ["'%.1e'.format([1234567.891])", '1.234568\u202f×\u202f10⁰⁶'],
    [
      "'%s'.format([b'\\xff'])",
      'error during formatting: could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string',
    ],
    [
      "'%s'.format([dyn([dyn(optional.none())])])",
      'error during formatting: no formatting function for optional_type',
    ],
  ])('formats %s', (text, written) => expect(outcome(text)).toBe(written))

  it.each([
    ['1:2', 13n],
    ['-1:30', 11n],
    ['99:00', 15n],
    ['Local', 12n],
    ['1:b', 'strconv.Atoi: parsing "b": invalid syntax'],
    ['99999999999999999999:00', 'strconv.Atoi: parsing "99999999999999999999": value out of range'],
    ['utc', 'unknown time zone utc'],
    ['../x', 'time: invalid location name'],
    ['%s', 'unknown time zone %!s(MISSING)'],
    ['%d:00', 'strconv.Atoi: parsing "%!d(MISSING)": invalid syntax'],
    ['JST', 'unknown time zone JST'],
    ['+00000000000000000000001:00', 13n],
  ])('reads the hour in the time zone %s', (zone, hour) =>
    expect(outcome(`timestamp('2024-02-29T12:34:56Z').getHours('${zone}')`)).toBe(hour),
  )

  it.each([
    ["timestamp('0099-03-01T00:00:00Z').getDayOfYear()", 59n],
    ["string(duration('-2562047h') + duration('1ns'))", '-9223369200s'],
    ["string(duration('1ns'))", '0.000000001s'],
    ["optional.ofNonZeroValue(timestamp('0001-01-01T00:00:00Z')).hasValue()", false],
    ['optional.ofNonZeroValue(timestamp(0)).hasValue()', true],
    ["quantity('300m').asApproximateFloat()", 0.3],
    ["quantity('0.3').asApproximateFloat()", 0.30000000000000004],
    ["quantity('0.7Ki').asApproximateFloat()", 716.8000000000001],
    ["quantity('100m').add(7).asApproximateFloat()", 7.1000000000000005],
    ['[-0.0].sum()', 0],
    ["''.indexOf('x')", 'index out of range: 0'],
    ["''.lastIndexOf('x')", 'index out of range: -1'],
    ['dyn([])[9223372036854775808u]', 'unsupported index value 9223372036854775808 in list'],
    ['dyn([])[1e21]', 'unsupported index value 1e+21 in list'],
    ['dyn([])[1e10]', 'index out of bounds: 1e+10'],
    ["{'a': 1, string('a'): 2}.a", 2n],
    ["url('mailto:a@b').getScheme()", 'mailto'],
    ["url('/p?a=b#f').getEscapedPath()", '/p'],
    ["isURL('http://u:p w@h/')", false],
    ["cidr('10.0.0.0/8').containsCIDR('10.0.0.0/16')", true],
    ["cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')", false],
    ["dyn('a') - dyn('b')", 'no such overload'],
    ['dyn([1]) - dyn(1)', 'no such overload: _-_'],
    ['dyn(null) < dyn(1)', 'no such overload: _<_'],
    ['dyn(1) < dyn([2])', 'no such overload'],
    // Items of two types have no order, and neither precedes the other.
    ["[dyn(4), dyn('q'), dyn(9)].max()", 9n],
    ["[dyn(4), dyn('q'), dyn(2)].min()", 2n],
    ['[dyn(true), dyn(7)].max()', true],
    ["[dyn(4), dyn('q'), dyn(2)].isSorted()", true],
    ['[dyn(4), dyn({})].max()', 'no such overload'],
    ['[dyn(4), dyn(null)].isSorted()', 'no such overload'],
    ["[3.0, double('NaN'), 2.0].isSorted()", true],
    ["double('NaN') < 3.0", 'NaN values cannot be ordered'],
    ["3 >= double('NaN')", 'NaN values cannot be ordered'],
    ["double('NaN') == double('NaN')", false],
  ])('evaluates %s', (text, value) => expect(outcome(text)).toBe(value))
})

describe('a duration', () => {
  it.each([
    ['1h30m', 5_400_000_000_000n],
    ['-1.5s', -1_500_000_000n],
    ['+.5s', 500_000_000n],
    ['1.s', 1_000_000_000n],
    ['1ms1m1µs', 60_001_001_000n],
    ['00000000000000000000001s', 1_000_000_000n],
    ['0.0000000019999999999999999999s', 1n],
    ['0', 0n],
  ])('accepts %s', (text, nanoseconds) =>
    expect(outcome(`duration('${text}')`)).toEqual(new Duration(nanoseconds)),
  )

  it.each([
    '',
    '-',
    '1',
    '.s',
    's',
    '1h-1m',
    '1hm',
    '1 s',
    '1S',
    '99999999999999999999s',
    '10000000h',
  ])('rejects %s', (text) => {
    expect(toDuration(text)).toBeInstanceOf(EvaluationError)
  })
})

it('parses long digit strings in linear time', () => {
  // Quadratic work would take hours.
  const digits = '1'.repeat(1_000_000)
  for (const text of [`${digits}x`, `${'0'.repeat(1_000_000)}x`, `1.${digits}x`]) {
    expect(toDuration(text)).toBeInstanceOf(EvaluationError)
    expect(toDouble(text)).toBeInstanceOf(EvaluationError)
    expect(isFormat('duration', text)).toBe(false)
  }
})
