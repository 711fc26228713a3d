import { expect, it } from 'vitest'
import { comparableRequests, isStreaming } from '../../../src/app/features/releases/comparable'
import type { LoggedRequest } from '../../../src/app/state/logged-request'

const request = (id: number, path: string, more: Partial<LoggedRequest> = {}): LoggedRequest => ({
  id,
  at: id,
  method: 'GET',
  path,
  who: 'admin',
  origin: 'action',
  headers: {},
  status: 200,
  ...more,
})

const unfinished = (id: number, path: string): LoggedRequest => {
  const { status: _status, ...rest } = request(id, path)
  return rest
}

it.each([
  ['/api/v1/pods?watch=1', true],
  ['/api/v1/pods?labelSelector=a&watch=true', true],
  ['/api/v1/namespaces/a/pods/b/log?follow=true&tailLines=1', true],
  ['/api/v1/pods?watch=0', false],
  ['/api/v1/pods?labelSelector=watch', false],
])('%s: a stream is %s', (path, expected) => {
  expect(isStreaming(path)).toBe(expected)
})

it('finds finished requests of users and scripts, newest first, each once', () => {
  const log = [
    request(1, '/api/v1/pods'),
    request(2, '/api/v1/nodes', { origin: 'script' }),
    request(3, '/api/v1/events', { origin: 'page' }),
    request(4, '/api/v1/pods?watch=1'),
    unfinished(5, '/api/v1/secrets'),
    request(6, '/api/v1/pods'),
    request(7, '/api/v1/pods', { method: 'POST' }),
  ]
  expect(comparableRequests(log).map(({ id }) => id)).toEqual([7, 6, 2])
})

it('finds no more than a menu holds', () => {
  const log = Array.from({ length: 100 }, (_, id) => request(id, `/api/v1/pods/${id}`))
  expect(comparableRequests(log)).toHaveLength(20)
})
