import { describe, expect, it } from 'vitest'
import { ImpersonationError, impersonationOf } from '../../src/engine/authentication/impersonation'
import type { ApiRequest } from '../../src/engine/http/messages'

function requestWith(
  headers: Record<string, string>,
  repeated?: Record<string, string[]>,
): ApiRequest {
  return {
    ...(repeated ? { headerValues: (name: string) => repeated[name] ?? [] } : {}),
    method: 'GET',
    target: '/api',
    header: (name) => headers[name],
    headerNames: () => Object.keys(headers),
    body: async () => new Uint8Array(),
  }
}

describe('impersonation', () => {
  it('is inactive without its headers', () => {
    expect(impersonationOf(requestWith({ accept: 'application/json' }))).toBeUndefined()
  })

  it('adds service account groups only when none are given', () => {
    const account = { 'impersonate-user': 'system:serviceaccount:shop:builder' }
    expect(impersonationOf(requestWith(account))?.user.groups).toEqual([
      'system:serviceaccounts',
      'system:serviceaccounts:shop',
      'system:authenticated',
    ])
    expect(
      impersonationOf(requestWith({ ...account, 'impersonate-group': 'dev' }))?.user.groups,
    ).toEqual(['dev', 'system:authenticated'])
  })

  it('authorizes every part of the identity', () => {
    const headers = {
      'impersonate-user': 'jane',
      'impersonate-uid': 'u',
      'impersonate-group': 'dev',
      'impersonate-extra-a%2fb': 'x',
    }
    const questions =
      impersonationOf(requestWith(headers))?.authorizationChecks({ name: 'bob', groups: [] }) ?? []
    expect(
      questions.map(({ resource, subresource, name }) => [resource, subresource, name]),
    ).toEqual([
      ['users', '', 'jane'],
      ['groups', '', 'dev'],
      ['userextras', 'a/b', 'x'],
      ['uids', '', 'u'],
    ])
  })

  it('reads a repeated header as several values where the host separates them', () => {
    const headers = {
      'impersonate-user': 'jane',
      'impersonate-group': 'a, b',
      'impersonate-extra-scope': 'x, y',
    }
    const repeated = { 'impersonate-group': ['a', 'b'], 'impersonate-extra-scope': ['x', 'y'] }
    expect(impersonationOf(requestWith(headers, repeated))?.user).toMatchObject({
      groups: ['a', 'b', 'system:authenticated'],
      extra: { scope: ['x', 'y'] },
    })
  })

  it('requires a user', () => {
    expect(() => impersonationOf(requestWith({ 'impersonate-group': 'dev' }))).toThrow(
      ImpersonationError,
    )
  })
})
