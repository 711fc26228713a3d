/** Messages from a page to the embedded frame: known commands of known shapes, and nothing else. */
import { describe, expect, it } from 'vitest'
import { commandOf, idOf, isMeant } from '../../src/app/embed/protocol'

const message = (command: string, rest: object = {}) => ({ kubetab: 1, id: 'a', command, ...rest })

describe('a message', () => {
  it('is taken with what belongs to it, and nothing else', () => {
    expect(commandOf(message('theme', { theme: 'dark', script: 'alert(1)' }))).toEqual({
      id: 'a',
      command: 'theme',
      args: { theme: 'dark' },
    })
    expect(commandOf(message('request', { method: 'GET', path: '/version' })).args).toEqual({
      method: 'GET',
      path: '/version',
    })
  })

  it.each([
    ['of another version', { ...message('ready'), kubetab: 2 }, 'kubetab'],
    ['without a number', { kubetab: 1, command: 'ready' }, 'id should be a string'],
    ['with an unknown command', message('constructor'), 'command should be one of'],
    [
      'with a method that there is not',
      message('request', { method: 'TRACE', path: '/' }),
      'method should be one of',
    ],
    [
      'with a part of another type',
      message('apply', { manifest: { kind: 'Pod' } }),
      'manifest should be a string',
    ],
    ['that is too long', message('apply', { manifest: 'x'.repeat((3 << 20) + 1) }), 'at most'],
    [
      'that lacks a part of an object',
      message('show', { object: { group: '', name: 'a' } }),
      'object.resource',
    ],
    ['that is a list', [message('ready')], 'an object'],
    ['that is nothing', null, 'an object'],
  ])('%s is rejected', (_, data, reason) => {
    expect(() => commandOf(data)).toThrow(reason)
  })

  it('of other code in the same window is ignored', () => {
    for (const data of ['text', null, 7, { type: 'webpackOk' }]) expect(isMeant(data)).toBe(false)
    expect(isMeant({ kubetab: 'anything' })).toBe(true)
    expect(idOf({ kubetab: 1, id: 5 })).toBeUndefined()
    expect(idOf({ kubetab: 1, id: 'x'.repeat(101) })).toBeUndefined()
  })
})
