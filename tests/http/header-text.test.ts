import { describe, expect, test } from 'vitest'
import { headerText, utf8OrAsSent } from '../../src/engine/http/header-text'
import { testClient } from './test-client'

const bytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

describe('a header with non-ASCII characters', () => {
  test.each([
    ['kubectl/v1.31', 'kubectl/v1.31'],
    [bytes('café ☃ 💥'), 'café ☃ 💥'],
    ['a\xffb', 'a\ufffdb'],
    ['x\xe9y', 'x\ufffdy'],
    ['\xed\xa0\x80z', '\ufffd\ufffd\ufffdz'],
    [`${bytes('💥').slice(0, 3)}!`, '\ufffd\ufffd\ufffd!'],
    ['☃ \xe9', '☃ \xe9'],
  ])('is decoded as Go does: %j', (sent, text) => {
    expect(headerText(sent)).toBe(text)
  })

  test('stays as it is if a browser sends Latin-1', () => {
    expect(utf8OrAsSent(bytes('café'))).toBe('café')
    expect(utf8OrAsSent('caf\xe9')).toBe('caf\xe9')
  })

  test('names the field manager and the impersonated user', async () => {
    const sendRequest = testClient()
    const { json } = await sendRequest('/api/v1/namespaces/default/configmaps', {
      method: 'POST',
      body: { metadata: { name: 'a' }, data: { a: 'b' } },
      headers: { 'user-agent': `${bytes('café')}/1.0` },
    })
    const { managedFields } = json.metadata as { managedFields: { manager: string }[] }
    expect(managedFields[0]?.manager).toBe('café')
    const reviews = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
    const headers = { 'impersonate-user': bytes('zoë'), 'impersonate-group': bytes('grün') }
    const review = await sendRequest(reviews, { method: 'POST', body: {}, headers })
    expect(review.json.status).toMatchObject({
      userInfo: { username: 'zoë', groups: expect.arrayContaining(['grün']) },
    })
  })
})
