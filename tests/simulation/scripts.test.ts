/** Simulates shell scripts without a machine. */
import { describe, expect, it } from 'vitest'
import type { Surroundings } from '../../src/engine/simulation/script/course'
import type { Mount } from '../../src/engine/simulation/script/entries'
import { follow } from '../../src/engine/simulation/script/interpreter'
import { OutsideSubset } from '../../src/engine/simulation/script/syntax'

const PLACE: Surroundings = { hostname: 'web', environment: {}, mounts: [] }
const sh = (script: string, place: Partial<Surroundings> = {}) =>
  follow(['sh', '-c', script], { ...PLACE, ...place })
const output = (script: string, place?: Partial<Surroundings>) =>
  sh(script, place)
    .lines.map(({ text }) => text)
    .join('')
const ends = (script: string, place?: Partial<Surroundings>) => {
  const { seconds, code } = sh(script, place)
  return [seconds, code]
}
const volume = (path: string, files: Record<string, string> = {}): Mount => ({
  path,
  volume: path,
  files: new Map(Object.entries(files)),
})

describe('a script', () => {
  it.each([
    ['exit 3', 0, 3],
    ['sleep 5; exit 1', 5, 1],
    ['sleep 1m && sleep 2', 62, 0],
    ['false || exit 4; exit 5', 0, 4],
    ['false && exit 4; true', 0, 0],
    ['if false; then exit 1; else exit 0; fi', 0, 0],
    ['if false; then exit 1; elif true; then exit 7; fi', 0, 7],
    ['if ! false\nthen exit 2\nfi', 0, 2],
    ['set -e; false; exit 0', 0, 1],
    ['set -e; if false; then :; fi; false || true; exit 3', 0, 3],
    ['for i in 1 2 3; do sleep $i; done', 6, 0],
    ['i=0; while [ $i -lt 4 ]; do i=$((i+1)); sleep 1; done; exit $i', 4, 4],
    ['i=3; until [ $i -eq 0 ]; do i=$(( i - 1 )); done; exit $i', 0, 0],
    ['while true; do sleep 1; break; done; exit 9', 1, 9],
    ["sh -c 'exit 2' || exit 6", 0, 6],
    ['exec sleep 3; exit 1', 3, 0],
    ['(exit 1)', 0, 1],
    ['exit $?', 0, 0],
    ['false; exit $?', 0, 1],
    ['{ sleep 2; false; } || exit 8', 2, 8],
    ['# nothing\nexit 2 # now', 0, 2],
  ])('%j exits after %s s with %s', (script, seconds, code) => {
    if (seconds === undefined) expect(() => sh(script)).toThrow(OutsideSubset)
    else expect(ends(script)).toEqual([seconds, code])
  })

  it.each([
    ['echo a "b  c" \'d e\' f\\ g', 'a b  c d e f g\n'],
    ['echo -n a; echo b', 'ab\n'],
    ['echo -e "a\\nb"', 'a\nb\n'],
    ["printf '%s is %d\\n' x 4", 'x is 4\n'],
    [`A=1; B="$A$A"; echo $${'{B}'}x $C $${'{C:-none}'}`, '11x none\n'],
    ['echo $JOB_COMPLETION_INDEX', '1\n'],
    ['echo "on $(hostname)" $((2 * (3 + 4)))', 'on web 14\n'],
    ['for i in $(seq 1 3); do echo -n $i; done', '123'],
    ['w="a b"; for i in $w "$w"; do echo $i; done', 'a\nb\na b\n'],
    ['echo one two | cat', 'one two\n'],
    ['echo lost > /dev/null; echo kept', 'kept\n'],
    [
      'echo a > /tmp/x; echo b >> /tmp/x; cat /tmp/x; rm /tmp/x; cat /tmp/x 2>/dev/null || echo gone',
      'a\nb\ngone\n',
    ],
    ['printenv JOB_COMPLETION_INDEX; export X=y; printenv X; Z=1; printenv Z', '1\ny\n'],
  ])('%j prints %j', (script, text) => {
    const environment = { JOB_COMPLETION_INDEX: '1' }
    if (text === undefined) expect(() => sh(script)).toThrow(OutsideSubset)
    else expect(output(script, { environment })).toBe(text)
  })

  it('prints each line at its time', () => {
    expect(sh('echo a; sleep 3; echo b >&2').lines).toEqual([
      { at: 0, text: 'a\n', isError: false },
      { at: 3, text: 'b\n', isError: true },
    ])
  })

  it('with an endless loop is represented by one iteration', () => {
    const { seconds, lines, cycle } = sh('echo up; while true; do date; sleep 5; done')
    expect([seconds, lines.map(({ text }) => text), cycle?.from, cycle?.period]).toEqual([
      undefined,
      ['up\n'],
      0,
      5,
    ])
    expect(cycle?.lines).toEqual([{ at: 0, text: '{date}\n', isError: false }])
    for (const script of ['while :; do :; done', 'sleep infinity', 'tail -f /dev/null'])
      expect(ends(script)[0]).toBeUndefined()
  })
})

describe('a condition', () => {
  const mounts = [volume('/data'), volume('/etc/app', { key: 'value' })]
  it.each([
    ['[ a = a ]', true],
    ['[ a == b ]', false],
    ['[ a != b ]', true],
    ['[[ $X == 1 ]]', true],
    ['[[ abc == a* ]]', true],
    ['[ "$X" -eq 1 ]', true],
    ['[ $X -gt 1 ]', false],
    ['[ -z "$NONE" ] && [ -n "$X" ]', true],
    ['test 2 -ge 2', true],
    ['! [ a = a ]', false],
    ['[ ! -f /data/foo ]', true],
    ['[[ -r /data/foo ]]', false],
    ['[ -e /etc/app/key -a -f /etc/app/key ]', true],
    ['[ -d /etc/app ]', true],
    ['[ -f /etc/app ]', false],
    ['[ -f /tmp/none ] || [ -e /data ]', true],
    ['[ "$(cat /etc/app/key)" = value ]', true],
    ['[ -f /etc/passwd ]', undefined],
    ['[ a -newer b ]', undefined],
  ])('%s: %s', (script, expected) => {
    const run = () => ends(script, { mounts, environment: { X: '1' } })[1] === 0
    if (expected === undefined) expect(run).toThrow(OutsideSubset)
    else expect(run()).toBe(expected)
  })
})

it('files in a volume persist to the next run, other files do not', () => {
  const script = 'if [[ -r /data/foo ]] ; then exit 0 ; else touch /data/foo /tmp/foo ; exit 1 ; fi'
  const first = sh(script, { mounts: [volume('/data')] })
  expect([first.code, [...first.left.keys()]]).toEqual([1, ['/data/foo']])
  expect(ends(script, { mounts: [volume('/data')], left: first.left })).toEqual([0, 0])
})

describe('a script that cannot be simulated', () => {
  it.each([
    'curl example.com',
    'echo $RANDOM',
    'cat <<EOF\nx',
    'while true; do echo a; sleep 1; done | cat',
    'while true; do date; sleep 1; done > /tmp/x & while true; do cat /tmp/x; sleep 2; done',
    'read line',
    'case a in a) exit 1',
    'sed s/\\\\(a\\\\)/\\\\1/ /tmp/x',
    'cat /etc/os-release',
    'if true; then exit 1',
    'fi',
    'echo "a',
  ])('%j', (script) => {
    expect(() => sh(script)).toThrow(OutsideSubset)
  })

  it('is simulated where it exits before the unknown command', () => {
    expect(ends('[ -f /tmp/x ] && curl example.com; exit 2')).toEqual([0, 2])
  })
})

describe('hostile scripts reach a limit soon', () => {
  it.each([
    ['steps', 'i=0; while true; do i=$((i+1)); done'],
    ['text that doubles', 'x=a; while true; do x=$x$x; done'],
    ['nested loops', `${'while true; do '.repeat(15)}:${'; done'.repeat(15)}`],
    ['depth of substitutions', `echo ${'$(echo '.repeat(2000)}x${')'.repeat(2000)}`],
    ['depth of sums', `echo $((${'('.repeat(5000)}1${')'.repeat(5000)}))`],
    ['depth of braces', `${'{ '.repeat(5000)}:${'; }'.repeat(5000)}`],
    ['depth of shells', 'x="sh -c \\"\\$x\\""; export x; sh -c "$x"'],
    ['files', 'i=0; while true; do i=$((i+1)); touch /tmp/$i; done'],
    ['conditions', `[ ${'a -a '.repeat(3000)}a ]`],
    ['length', `echo ${'a'.repeat(100_000)}`],
    ['functions', 'f() { f; f; }; f'],
    ['functions with parameters', 'f() { f "$@" "$@"; }; f a'],
    ['pipes', `yes${' | cat'.repeat(2000)}`],
    ['patterns', `x=${'a'.repeat(5000)}; while true; do echo \${x%%a*a*a*a*a*b}; done`],
    ['directories', 'i=/tmp; while true; do i=$i/a; mkdir $i; find / ; done'],
    ['background', 'while true; do sleep 1 & done'],
    ['links', 'ln -s /tmp/b /tmp/a; ln -s /tmp/a /tmp/b; while true; do cat /tmp/a; done'],
    ['eval', 'x="eval \\$x"; eval $x'],
    [
      'names of files',
      'i=0; while [ $i -lt 150 ]; do i=$((i+1)); echo > /tmp/$i; done; while true; do echo /tmp/*; done',
    ],
    ['branches', `if false; then :; ${'elif false; then :; '.repeat(700)}fi`],
  ])('%s', (_, script) => {
    try {
      expect(sh(script).seconds).toBeUndefined()
    } catch (error) {
      expect(error).toBeInstanceOf(OutsideSubset)
    }
  })
})

describe('large scripts end soon', () => {
  it.each([
    ['here-documents', `cat <<E\n${'x\n'.repeat(5000)}E`, 0],
    ['lines', `yes | sed s/y/${'y'.repeat(60)}/g | head -1`, 0],
    ['expressions', `echo ${'a'.repeat(3000)} | grep -E '(a*)*(a*)*(a*)*b'`, 1],
  ])('%s', (_, script, code) => {
    expect(ends(script)).toEqual([0, code])
  })
})
