/** Parses the supported part of shell syntax. */
import { describe, expect, it } from 'vitest'
import { isUnfinished, readLine } from '../../src/console/line'

const words = (text: string) =>
  readLine(text).map(({ stages }) => stages.map((stage) => stage.words))

describe('a line', () => {
  it.each([
    ['get pods', [[['get', 'pods']]]],
    [
      `get pods -o jsonpath='{.items[*].metadata.name}'`,
      [[['get', 'pods', '-o', 'jsonpath={.items[*].metadata.name}']]],
    ],
    ['label pod web note="two words"', [[['label', 'pod', 'web', 'note=two words']]]],
    ['annotate pod web note=\\"hi\\"', [[['annotate', 'pod', 'web', 'note="hi"']]]],
    [
      String.raw`patch pod web -p "{\"a\": \"\n\"}"`,
      [[['patch', 'pod', 'web', '-p', '{"a": "\\n"}']]],
    ],
    ['get pods # all of them', [[['get', 'pods']]]],
    [
      'get pods | grep web | head -3',
      [
        [
          ['get', 'pods'],
          ['grep', 'web'],
          ['head', '-3'],
        ],
      ],
    ],
    ['get pods; get nodes', [[['get', 'pods']], [['get', 'nodes']]]],
    ['get pods \\\n  -A', [[['get', 'pods', '-A']]]],
    ['get pods\nget nodes', [[['get', 'pods']], [['get', 'nodes']]]],
    ["run web --image=''", [[['run', 'web', '--image=']]]],
    ["get pods -l 'a in (b,c)'", [[['get', 'pods', '-l', 'a in (b,c)']]]],
  ])('%s', (text, expected) => {
    expect(words(text)).toEqual(expected)
  })

  it('runs after && only if the command before succeeds', () => {
    expect(readLine('get ns a && get ns b').map(({ onSuccess }) => onSuccess)).toEqual([
      false,
      true,
    ])
  })

  it('passes a here-document to its command', () => {
    const [pipeline] = readLine(
      "cat <<'EOF' | kubectl apply -f -\nkind: Pod\n# not a comment of the shell\nEOF\n",
    )
    expect(pipeline?.stages).toEqual([
      { words: ['cat'], input: 'kind: Pod\n# not a comment of the shell\n' },
      { words: ['kubectl', 'apply', '-f', '-'] },
    ])
  })

  it.each(['get pods |', "label pod web a='b", 'get pods \\', 'cat <<EOF\nkind: Pod\n'])(
    'continues after %j',
    (text) => {
      expect(isUnfinished(text)).toBe(true)
    },
  )

  it.each([
    ['get pods > pods.txt', 'output cannot be redirected'],
    ['delete pod $(kubectl get pods -o name)', 'command substitution is not available'],
    ['get pod "$NAME"', 'variables are not available'],
    ['get pods &', 'in the background'],
    ['get pods || get nodes', '|| is not available'],
    ['cat <<< text', 'here-strings are not available'],
    ['cat <<', '<< wants a word'],
    ['cat << |', '<< wants a word'],
  ])('rejects unsupported syntax: %s', (text, why) => {
    expect(() => readLine(text)).toThrow(why)
    expect(isUnfinished(text)).toBe(false)
  })
})
