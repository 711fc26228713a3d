/** What kubectl does about who may do what, against headless servers; only where it is installed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { bundleNodeHost } from '../../scripts/bundle-host'
import { newCertificateRequest } from '../../src/engine/authentication/certificates/request'
import { selfSignedCertificate } from '../../src/hosts/node/certificate'
import { quickSignatures } from '../authentication/tokens-server'
import { type Started, start, stop } from '../support/processes'
import { findKubectl, type Kubectl, kubectl } from './kubectl'

const program = findKubectl()
const namespace = 'rights'

const ROLES = `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader, namespace: ${namespace}}
rules:
- {apiGroups: [""], resources: [pods], verbs: [get]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: readers, namespace: ${namespace}}
subjects:
- {kind: User, name: jane, apiGroup: rbac.authorization.k8s.io}
roleRef: {kind: Role, name: reader, apiGroup: rbac.authorization.k8s.io}
`

if (program === undefined) it.skip('kubectl not installed: not run')
else {
  const home = mkdtempSync(join(tmpdir(), 'kubetab-kubectl-access-'))
  afterAll(() => rmSync(home, { recursive: true }))

  describe('kubectl auth', () => {
    const { run, output } = kubectl(program, { kubeconfig: inject('kubeconfig'), namespace, home })
    beforeAll(async () => {
      await output(['create', 'namespace', namespace])
    })

    it('reconcile makes roles and bindings, and adds what is missing of them', async () => {
      expect(await output(['auth', 'reconcile', '-f', '-'], ROLES)).toContain('reconciled')
      const more = ROLES.replace('verbs: [get]', 'verbs: [list]').replace(
        'name: jane,',
        'name: joe,',
      )
      await output(['auth', 'reconcile', '-f', '-'], more)
      const verbs = await output(['get', 'role', 'reader', '-o', 'jsonpath={.rules[*].verbs[*]}'])
      expect(verbs.split(' ').sort()).toEqual(['get', 'list'])
      expect(
        await output(['get', 'rolebinding', 'readers', '-o', 'jsonpath={.subjects[*].name}']),
      ).toBe('jane joe')
      const exact = [
        'auth',
        'reconcile',
        '--remove-extra-permissions',
        '--remove-extra-subjects',
        '-f',
        '-',
      ]
      await output(exact, more)
      expect(await output(['get', 'role', 'reader', '-o', 'jsonpath={.rules[*].verbs[*]}'])).toBe(
        'list',
      )
      expect(
        await output(['get', 'rolebinding', 'readers', '-o', 'jsonpath={.subjects[*].name}']),
      ).toBe('joe')
      await output(exact, ROLES)
    })

    it('can-i reports for the user and for others, with the exit code', async () => {
      expect(await output(['auth', 'can-i', '*', '*'])).toBe('yes\n')
      expect(await output(['auth', 'can-i', 'get', 'pods', '--as=jane'])).toBe('yes\n')
      expect(await run(['auth', 'can-i', 'delete', 'pods', '--as=jane'])).toMatchObject({
        code: 1,
        stdout: 'no\n',
      })
      expect(await output(['auth', 'can-i', 'get', '/healthz', '--as=jane'])).toBe('yes\n')
      const table = await output(['auth', 'can-i', '--list', '--as=jane'])
      expect(table).toMatch(/^pods +\[\] +\[\] +\[get\]$/m)
    })

    it('whoami prints the user, the groups and extra values', async () => {
      const text = await output(['auth', 'whoami', '--as=jane', '--as-group=devs', '-o', 'json'])
      expect(JSON.parse(text).status.userInfo).toEqual({
        username: 'jane',
        groups: ['devs', 'system:authenticated'],
      })
    })

    it('create token gives one for an audience and a pod', async () => {
      await output(['create', 'serviceaccount', 'robot'])
      const token = (await output(['create', 'token', 'robot', '--audience=elsewhere'])).trim()
      const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
      expect(claims).toMatchObject({
        aud: ['elsewhere'],
        sub: `system:serviceaccount:${namespace}:robot`,
      })
      expect((await run(['auth', 'whoami', `--token=${token}`])).stderr).toContain('Unauthorized')
    })
  })

  describe.each([
    ['the flags name', true],
    ['the server makes', false],
  ])('kubectl certificate, of an authority that %s', (_, isGiven) => {
    const now = Date.now()
    const authority = selfSignedCertificate('cluster-authority', now)
    const file = (name: string, text: string) => {
      writeFileSync(join(home, name), text)
      return join(home, name)
    }
    let server: Started
    let client: Kubectl
    beforeAll(async () => {
      const kubeconfig = join(home, 'config')
      const [certificate, key] = [file('ca.pem', authority.cert), file('ca-key.pem', authority.key)]
      const signing = [
        `--cluster-signing-cert-file=${certificate}`,
        `--cluster-signing-key-file=${key}`,
        `--client-ca-file=${certificate}`,
      ]
      server = await start([
        await bundleNodeHost(),
        '--port=-1',
        '--secure-port=0',
        `--kubeconfig=${kubeconfig}`,
        ...(isGiven ? signing : []),
      ])
      client = kubectl(program, { kubeconfig, namespace: 'default', home })
    })
    afterAll(() => stop(server))

    async function requested(name: string): Promise<string> {
      const { request, key } = await newCertificateRequest(
        { commonName: 'jane', organizations: ['devs'] },
        quickSignatures,
      )
      const spec = {
        request: btoa(request),
        signerName: 'kubernetes.io/kube-apiserver-client',
        usages: ['client auth'],
      }
      const object = {
        apiVersion: 'certificates.k8s.io/v1',
        kind: 'CertificateSigningRequest',
        metadata: { name },
        spec,
      }
      await client.output(['create', '-f', '-'], JSON.stringify(object))
      const { createPrivateKey } = await import('node:crypto')
      return createPrivateKey({ key: { ...key }, format: 'jwk' })
        .export({ type: 'pkcs8', format: 'pem' })
        .toString()
    }

    it('approve lets the certificate be issued, by which its holder then acts', async () => {
      const key = file('jane-key.pem', await requested('jane'))
      expect(await client.output(['certificate', 'approve', 'jane'])).toContain('approved')
      let issued = ''
      for (let tries = 0; issued === '' && tries < 50; tries++)
        issued = await client.output(['get', 'csr', 'jane', '-o', 'jsonpath={.status.certificate}'])
      const certificate = file('jane.pem', Buffer.from(issued, 'base64').toString())
      const kubeconfig = file(
        'jane-config',
        await client.output(['config', 'view', '--raw', '-o', 'json']),
      )
      const jane = kubectl(program, { kubeconfig, namespace: 'default', home })
      await jane.output([
        'config',
        'set-credentials',
        'jane',
        `--client-certificate=${certificate}`,
        `--client-key=${key}`,
      ])
      await jane.output(['config', 'set-context', '--current', '--user=jane'])
      const who = JSON.parse(await jane.output(['auth', 'whoami', '-o', 'json']))
      expect(who.status.userInfo).toMatchObject({
        username: 'jane',
        groups: ['devs', 'system:authenticated'],
      })
      expect((await jane.run(['get', 'pods'])).stderr).toContain(
        'User "jane" cannot list resource "pods"',
      )
    })

    it('deny lets none be issued', async () => {
      await requested('joan')
      expect(await client.output(['certificate', 'deny', 'joan'])).toContain('denied')
      expect(await client.output(['get', 'csr', 'joan'])).toContain('Denied')
      expect(
        await client.output(['get', 'csr', 'joan', '-o', 'jsonpath={.status.certificate}']),
      ).toBe('')
    })
  })
}
