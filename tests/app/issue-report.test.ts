/** The report for an issue tracker: complete, and safe whatever the cluster's texts hold. */
import { expect, it } from 'vitest'
import { issueText } from '../../src/app/features/share/issue'
import { HIDDEN } from '../../src/app/state/log-credentials'
import type { LoggedRequest } from '../../src/app/state/logged-request'

const entry = (part: Partial<LoggedRequest>): LoggedRequest => ({
  id: 1,
  at: 0,
  method: 'PUT',
  path: '/api/v1/namespaces/default/configmaps/a?fieldManager=x',
  who: 'editor',
  origin: 'action',
  headers: { Accept: 'application/json', Authorization: `Bearer ${HIDDEN}` },
  body: '{"metadata":{"name":"a"}}',
  status: 409,
  response: '{"kind":"Status","code":409}',
  ...part,
})

const around = {
  release: '1.31',
  actor: { name: 'editor', groups: ['devs'] },
  kinds: new Map([['ConfigMap', 2]]),
  revision: 17,
  link: 'https://example.org/kubetab/#k2=abc',
}

it('names release, actor, state, the request as curl, its response and a link', () => {
  const text = issueText([entry({})], { ...around, clock: 'stopped' })
  for (const part of [
    'Kubernetes API 1.31',
    '`editor` (`devs`)',
    'Revision 17: 2 ConfigMap',
    'Time: stopped',
    '`PUT /api/v1/namespaces/default/configmaps/a` → 409',
    'curl -X PUT "$SERVER"',
    'Authorization: Bearer $TOKEN',
    '"code": 409',
    '](https://example.org/kubetab/#k2=abc)',
  ])
    expect(text).toContain(part)
  expect(text).not.toContain(HIDDEN)
})

it('numbers several requests, and reports a missing link', () => {
  const text = issueText([entry({}), entry({ method: 'GET', status: 200 })], {
    ...around,
    link: undefined,
  })
  expect(text).toMatch(/### 1\. `PUT[\s\S]*### 2\. `GET/)
  expect(text).toContain('Attach the file')
})

it('keeps what the cluster holds from being Markdown', () => {
  const hostile = '```\n</details><img src=x onerror=alert(1)>\n````\n# heading'
  const text = issueText(
    [entry({ response: JSON.stringify({ a: hostile }), path: '/api/v1/`x`?q', body: hostile })],
    around,
  )
  // Whatever is fenced is fenced by more backticks than it holds.
  const fences = [...text.matchAll(/^(`{3,})(?:sh|json)\n([\s\S]*?)\n\1$/gm)]
  expect(fences).toHaveLength(2)
  for (const [, fence, inside] of fences) expect(inside).not.toContain(fence)
  expect(text).toContain('`` PUT /api/v1/`x` ``')
})

it('shortens long responses, and states by how much', () => {
  const text = issueText([entry({ response: JSON.stringify('x'.repeat(10_000)) })], around)
  expect(text).toContain('more characters')
  expect(text.length).toBeLessThan(8000)
})
