/** Pipes to the built-in text tools. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../src/engine/core/environment'
import { configMap, sendRequest, testServer } from '../support/server'
import { type TestConsole, testConsole } from './support'

describe('pipes', () => {
  const clock = new SimulatedClock()
  const server = testServer({ clock })
  let console: TestConsole

  beforeAll(async () => {
    for (const name of ['apple', 'banana', 'cherry']) {
      await sendRequest(server, {
        method: 'POST',
        path: '/api/v1/namespaces/default/configmaps',
        body: configMap(name, { a: name }),
      })
    }
    console = testConsole(server, clock)
    console.files.set('fruit.yaml', 'b 10\na 2\nb 10\nc 1\n')
  })
  afterAll(() => server.close())

  const output = async (line: string) => {
    const { code, stdout, stderr } = await console.run(line)
    return stderr === '' ? stdout : `${code}: ${stderr}`
  }

  it.each([
    ['get cm -o name | grep an', 'configmap/banana\n'],
    ['get cm -o name | grep -v an', 'configmap/apple\nconfigmap/cherry\n'],
    ['get cm -o name | grep -i CHERRY', 'configmap/cherry\n'],
    ['get cm -o name | grep -c configmap', '3\n'],
    ["get cm -o name | grep -E 'apple|cherry'", 'configmap/apple\nconfigmap/cherry\n'],
    ["get cm -o name | grep 'apple\\|cherry'", 'configmap/apple\nconfigmap/cherry\n'],
    ["get cm -o name | grep 'a+'", ''],
    ['get cm apple -o yaml | grep -A1 ^data', 'data:\n  a: apple\n'],
    ["get cm -o name | grep -o 'an.'", 'ana\n'],
    ['get cm -o name | head -1', 'configmap/apple\n'],
    ['get cm -o name | head -n -1', 'configmap/apple\nconfigmap/banana\n'],
    ['get cm -o name | tail -n 1', 'configmap/cherry\n'],
    ['get cm -o name | tail -n +3', 'configmap/cherry\n'],
    ['get cm -o name | wc -l', '3\n'],
    ['get cm -o name | sort -r | head -1', 'configmap/cherry\n'],
    ['get cm --no-headers | cut -c1-5', 'apple\nbanan\ncherr\n'],
    ['get cm -o name | cut -d/ -f2', 'apple\nbanana\ncherry\n'],
    ["get cm -o jsonpath='{.items[*].metadata.name}' | tr ' ' '\\n' | wc -w", '3\n'],
    ['cat fruit.yaml | sort -k2 -n', 'c 1\na 2\nb 10\nb 10\n'],
    ['cat fruit.yaml | sort -u', 'a 2\nb 10\nc 1\n'],
    ['cat fruit.yaml | sort | uniq -c', '      1 a 2\n      2 b 10\n      1 c 1\n'],
    ["get cm -o name | grep '[[:alpha:]]/[[:alpha:]]a'", 'configmap/banana\n'],
    ["get cm -o name | grep '\\<c[a-z]*y'", 'configmap/cherry\n'],
    ['get cm -o name | grep -e apple -e cherry', 'configmap/apple\nconfigmap/cherry\n'],
    ['get cm -o name | grep -n -B1 cherry', '2-configmap/banana\n3:configmap/cherry\n'],
    ['get cm -o name | grep -on an', '2:an\n2:an\n'],
    ['get cm -o name | grep -m1 configmap', 'configmap/apple\n'],
    ['get cm -o name | grep -q apple && echo there', 'there\n'],
    ['get cm -o name | grep -x apple', ''],
    ['get cm -o name | grep -m x a', "2: grep: -m wants a number of lines: 'x'\n"],
    ['cat fruit.yaml | sort -k2,2 -n', 'c 1\na 2\nb 10\nb 10\n'],
    ['cat fruit.yaml | sort -k0', "2: sort: invalid key: '0' (as in -k 2 or -k 2,2)\n"],
    ["get cm apple -o name | tr '[:lower:]' '[:upper:]'", 'CONFIGMAP/APPLE\n'],
    ['echo -n swordfish | base64', 'c3dvcmRmaXNo\n'],
    ['echo -n swordfish | base64 -w 0', 'c3dvcmRmaXNo'],
    ['echo c3dvcmRmaXNo | base64 -d', 'swordfish'],
    ['echo 8J+Quw== | base64 --decode', '🐻'],
    ['echo ??? | base64 -d', '1: base64: invalid input\n'],
    ['ls', 'fruit.yaml\n'],
    ['echo one two | grep -w two', 'one two\n'],
    [
      'get cm -o name | jq .',
      '127: jq: not available here: use -o jsonpath= or -o custom-columns=\n',
    ],
    ['get cm | grep', '2: grep: a pattern is missing\n'],
    ['get cm | grep [', '2: grep: invalid pattern: [\n'],
    ['grep x', '1: grep: nothing is piped in\n'],
  ])('%s', async (line, expected) => {
    expect(await output(line)).toBe(expected)
  })

  it('return the exit code of the last command', async () => {
    expect((await console.run('get cm -o name | grep kiwi')).code).toBe(1)
    expect((await console.run('get cm nothing | cat')).code).toBe(0)
  })

  it('stop the writer when the reader has exited', async () => {
    const { code, stdout } = await console.run('get cm -w --no-headers | head -2')
    expect([code, stdout.split('\n').map((line) => line.split(' ')[0])]).toEqual([
      0,
      ['apple', 'banana', ''],
    ])
  })

  it('pass a here-document', async () => {
    expect(await output('cat <<EOF | grep b\na\nb\nEOF')).toBe('b\n')
  })

  it('support && and ;', async () => {
    expect(await output('get cm apple -o name && get cm banana -o name')).toBe(
      'configmap/apple\nconfigmap/banana\n',
    )
    const { stdout, code } = await console.run('get cm kiwi && echo never; echo always')
    expect([stdout, code]).toEqual(['always\n', 0])
  })
})
