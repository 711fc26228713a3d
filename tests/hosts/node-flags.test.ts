import { describe, expect, it } from 'vitest'
import { baseTables } from '../../src/engine/release-tables/base-tables'
import { tokensOf } from '../../src/hosts/node/authentication'
import { FLAGS } from '../../src/hosts/node/flag-table'
import { FlagError, parseFlags } from '../../src/hosts/node/flags'
import { usage } from '../../src/hosts/node/help'
import { defaultsUnder } from '../../src/hosts/node/kube-apiserver'

describe('the command line of the headless server', () => {
  it('has a default for every flag', () => {
    expect(parseFlags([])).toMatchObject({
      port: 8080,
      'anonymous-auth': undefined,
      controllers: ['*'],
    })
  })

  it('distinguishes unset flags where that matters', () => {
    expect(parseFlags([])['authorization-mode']).toBeUndefined()
    expect(parseFlags(['--authorization-mode='])['authorization-mode']).toEqual([])
  })

  it('accepts values after = or a space', () => {
    expect(parseFlags(['--port=1', '--token-auth-file', 'a b.csv'])).toMatchObject({
      port: 1,
      'token-auth-file': 'a b.csv',
    })
  })

  it('accepts a boolean without value, but no value after a space', () => {
    expect(parseFlags(['--allow-privileged', '--anonymous-auth=false'])).toMatchObject({
      'allow-privileged': true,
      'anonymous-auth': false,
    })
    expect(() => parseFlags(['--anonymous-auth', 'false'])).toThrow(
      new FlagError('unexpected argument: false'),
    )
  })

  it('skips empty arguments', () => {
    expect(parseFlags(['', '--port=6443', ''])).toMatchObject({ port: 6443 })
  })

  it('splits lists at commas and merges repeated flags', () => {
    expect(parseFlags(['--authorization-mode=Node,RBAC'])['authorization-mode']).toEqual([
      'Node',
      'RBAC',
    ])
    expect(
      parseFlags(['--authorization-mode=Node', '--authorization-mode=RBAC'])['authorization-mode'],
    ).toEqual(['Node', 'RBAC'])
  })

  it.each([
    ['0', 0],
    ['5s', 5000],
    ['1m30s', 90_000],
    ['1.5h', 5_400_000],
    ['250ms', 250],
  ])('parses the duration %s', (text, milliseconds) => {
    expect(parseFlags([`--shutdown-delay-duration=${text}`])['shutdown-delay-duration']).toBe(
      milliseconds,
    )
  })

  it.each([
    ['0.01', 0.01],
    ['.02', 0.02],
    ['1e-3', 0.001],
    ['-1', -1],
  ])('parses the fraction %s', (text, fraction) => {
    expect(parseFlags([`--goaway-chance=${text}`])['goaway-chance']).toBe(fraction)
  })

  it.each([
    [['--nosuch=1'], 'unknown flag: --nosuch'],
    [['--port'], 'flag needs an argument: --port'],
    [['--port=http'], 'invalid argument "http" for "--port" flag'],
    [['--goaway-chance=often'], 'invalid argument "often" for "--goaway-chance" flag'],
    [['--anonymous-auth=perhaps'], 'invalid argument "perhaps" for "--anonymous-auth" flag'],
    [['--shutdown-delay-duration=5'], 'invalid argument "5" for "--shutdown-delay-duration" flag'],
    [
      ['--allow-privileged=false'],
      '--allow-privileged=false is not supported, only --allow-privileged=true',
    ],
    [['serve'], 'unexpected argument: serve'],
  ])('rejects %j, naming the flag', (args, message) => {
    expect(() => parseFlags(args)).toThrow(new FlagError(message))
  })

  it('accepts flags that tune only kube-apiserver, and warns that they have no effect', () => {
    const remarks: string[] = []
    const args = [
      '--watch-cache=false',
      '--profiling',
      '--kubelet-timeout',
      '5s',
      '-v=4',
      '--port=1',
    ]
    expect(parseFlags(args, {}, (text) => remarks.push(text)).port).toBe(1)
    expect(remarks).toEqual([
      '--watch-cache has no effect here: reads come from the versions in memory, which have one format',
      '--profiling has no effect here: use the profilers of Node.js (node --inspect, --cpu-prof)',
      '--kubelet-timeout has no effect here: nodes are simulated and have no kubelet',
      '--v has no effect here: the log is plain text with a fixed level',
    ])
    expect(() => parseFlags(['--kubelet-timeout'])).toThrow(
      new FlagError('flag needs an argument: --kubelet-timeout'),
    )
    expect(() => parseFlags(['--profiling=perhaps'])).toThrow(FlagError)
    expect(usage(baseTables())).toContain('--watch-cache')
  })

  it('defaults to HTTPS and authentication under the name kube-apiserver', () => {
    const flags = parseFlags(['--controllers=job'], defaultsUnder('kube-apiserver'))
    expect(flags).toMatchObject({
      port: -1,
      'secure-port': 6443,
      'default-token': false,
      controllers: ['job'],
      scheduler: false,
    })
    expect(tokensOf(flags)).toBe('')
    expect(parseFlags([], defaultsUnder('kubetab'))).toEqual(parseFlags([]))
  })

  it('lists every flag in its help', () => {
    for (const name of Object.keys(FLAGS)) expect(usage(baseTables())).toContain(`--${name}`)
  })
})
