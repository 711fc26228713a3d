/** A request in other words: each form means the same request, and none holds a credential. */
import { describe, expect, it } from 'vitest'
import { asKubectl, type KubectlRequest } from '../../src/app/features/copy-as/equivalents'
import { FORMS } from '../../src/app/features/copy-as/forms'
import { verbOf } from '../../src/app/features/copy-as/verb-of'

const request = (
  method: string,
  path: string,
  more: Partial<KubectlRequest> = {},
): KubectlRequest => ({
  method,
  path,
  headers: { Authorization: 'Bearer secret' },
  ...more,
})
const WEB = '/apis/apps/v1/namespaces/shop/deployments/web'

describe('a request as kubectl', () => {
  it.each([
    [request('GET', WEB), 'kubectl get deployments web -n shop -o yaml'],
    [
      request('GET', '/api/v1/pods?watch=1&labelSelector=app%3Dweb'),
      'kubectl get pods -l app=web -A --watch',
    ],
    [request('DELETE', WEB), 'kubectl delete deployments web -n shop'],
    [request('GET', '/version'), 'kubectl get --raw /version'],
    [
      request(
        'GET',
        '/api/v1/namespaces/shop/pods/web-1/log?container=nginx&tailLines=20&follow=true',
      ),
      'kubectl logs web-1 -n shop --container=nginx --follow --tail=20',
    ],
    [
      request('POST', '/api/v1/namespaces/shop/serviceaccounts/cook/token', {
        body: '{"spec":{"expirationSeconds":600}}',
      }),
      'kubectl create token cook -n shop --duration=600s',
    ],
    [
      request('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', { body: '{}' }),
      'kubectl auth whoami',
    ],
  ])('%o', (given, expected) => {
    expect(asKubectl(given)).toBe(expected)
  })
})

describe('every form', () => {
  it('names the server, and omits the credential', () => {
    for (const { format } of FORMS) {
      const text = format(request('PUT', `${WEB}?fieldManager=me`, { body: '{"a":1}' }))
      expect(text).toMatch(/deployments\/web|replace -n shop/)
      expect(text).not.toContain('secret')
    }
  })
})

describe('the verb of a request', () => {
  it.each([
    ['GET', WEB, 'get'],
    ['GET', '/api/v1/pods', 'list'],
    ['GET', '/api/v1/pods?watch=1', 'watch'],
    ['GET', '/api/v1/pods?watch=false', 'list'],
    ['DELETE', '/api/v1/namespaces/shop/pods', 'deletecollection'],
    ['PUT', WEB, 'update'],
    ['POST', '/version', 'post'],
  ])('%s %s is %s', (method, path, verb) => {
    expect(verbOf(method, path)).toBe(verb)
  })
})
