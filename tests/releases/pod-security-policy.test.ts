/** Pods under pod security policies, in a release that has them and has the plugin switched on. */
import { describe, expect, it } from 'vitest'
import { OptionError } from '../../src/engine/server/option-error'
import { sendRequest, type TestResponse, testServer } from '../support/server'

const PODS = '/api/v1/namespaces/default/pods'
const POLICIES = '/apis/policy/v1beta1/podsecuritypolicies'
const any = { rule: 'RunAsAny' }
const LAX = { seLinux: any, runAsUser: any, fsGroup: any, supplementalGroups: any, volumes: ['*'] }

async function cluster(...policies: [name: string, spec: object][]) {
  const server = testServer({
    release: '1.24',
    enableAdmissionPlugins: ['PodSecurityPolicy'],
    disableAdmissionPlugins: ['ServiceAccount'],
  })
  const post = (path: string, body: object, token = 'admin') =>
    sendRequest(server, { method: 'POST', path, body, token })
  for (const [name, spec] of policies) {
    const made = await post(POLICIES, {
      apiVersion: 'policy/v1beta1',
      kind: 'PodSecurityPolicy',
      metadata: { name },
      spec: { ...LAX, ...spec },
    })
    expect(made.status, made.text).toBe(201)
  }
  const allow = async (role: string, rules: object[]) => {
    const path = '/apis/rbac.authorization.k8s.io/v1'
    await post(`${path}/clusterroles`, { kind: 'ClusterRole', metadata: { name: role }, rules })
    const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'alice' }]
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role }
    await post(`${path}/clusterrolebindings`, {
      kind: 'ClusterRoleBinding',
      metadata: { name: role },
      roleRef,
      subjects,
    })
  }
  await allow('pods', [{ apiGroups: [''], resources: ['pods'], verbs: ['*'] }])
  return {
    server,
    use: (name: string) =>
      allow(`use-${name}`, [
        {
          apiGroups: ['policy'],
          resources: ['podsecuritypolicies'],
          resourceNames: [name],
          verbs: ['use'],
        },
      ]),
    pod: (spec: object, container: object = {}, token = 'alice'): Promise<TestResponse> => {
      const containers = [{ name: 'c', image: 'img:1', ...container }]
      return post(
        PODS,
        { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'it' }, spec: { containers, ...spec } },
        token,
      )
    },
  }
}

it('is a plugin until release 1.24', () => {
  const options = { enableAdmissionPlugins: ['PodSecurityPolicy'] }
  expect(() => testServer({ ...options, release: '1.25' })).toThrow(
    new OptionError('enable-admission-plugins plugin "PodSecurityPolicy" is unknown'),
  )
  expect(() => testServer({ ...options, release: '1.24' })).not.toThrow()
})

it('lets no pod in without a policy', async () => {
  const { pod } = await cluster()
  const { status, json } = await pod({}, {}, 'admin')
  expect([status, json.message]).toEqual([
    403,
    'pods "it" is forbidden: PodSecurityPolicy: unable to admit pod: []',
  ])
})

it('counts only policies that the author may use', async () => {
  const { pod, use } = await cluster(['lax', {}])
  expect((await pod({})).status).toBe(403)
  await use('lax')
  const made = await pod({})
  expect(made.status, made.text).toBe(201)
  expect(made.json.metadata.annotations).toEqual({ 'kubernetes.io/psp': 'lax' })
})

it('prefers a policy that changes nothing to the first by name', async () => {
  const { pod } = await cluster(
    ['a-changing', { requiredDropCapabilities: ['ALL'] }],
    ['b-lax', {}],
  )
  expect((await pod({}, {}, 'admin')).json.metadata.annotations['kubernetes.io/psp']).toBe('b-lax')
})

it('gives what a pod leaves out', async () => {
  const ranges = [{ min: 100, max: 200 }]
  const { pod } = await cluster([
    'strict',
    {
      runAsUser: { rule: 'MustRunAs', ranges },
      fsGroup: { rule: 'MustRunAs', ranges },
      requiredDropCapabilities: ['NET_RAW'],
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
    },
  ])
  const { json } = await pod({}, {}, 'admin')
  expect(json.spec.securityContext).toEqual({ fsGroup: 100 })
  expect(json.spec.containers[0].securityContext).toEqual({
    runAsUser: 100,
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['NET_RAW'] },
  })
})

describe('rejects', () => {
  const cases: [name: string, spec: object, pod: object, container: object, message: string][] = [
    [
      'privileged containers',
      {},
      {},
      { securityContext: { privileged: true } },
      'spec.containers[0].securityContext.privileged: Invalid value: true: Privileged containers are not allowed',
    ],
    [
      'the host network',
      {},
      { hostNetwork: true },
      {},
      'spec.securityContext.hostNetwork: Invalid value: true: Host network is not allowed to be used',
    ],
    [
      'volumes',
      { volumes: ['secret'] },
      { volumes: [{ name: 'v', hostPath: { path: '/etc' } }] },
      {},
      'spec.volumes[0]: Invalid value: "hostPath": hostPath volumes are not allowed to be used',
    ],
    [
      'paths of the host',
      { allowedHostPaths: [{ pathPrefix: '/var' }] },
      { volumes: [{ name: 'v', hostPath: { path: '/variable' } }] },
      {},
      'spec.volumes[0].hostPath.pathPrefix: Invalid value: "/variable": is not allowed to be used',
    ],
    [
      'users',
      { runAsUser: { rule: 'MustRunAsNonRoot' } },
      {},
      { securityContext: { runAsUser: 0 } },
      'spec.containers[0].securityContext.runAsUser: Invalid value: 0: running with the root UID is forbidden',
    ],
    [
      'capabilities',
      { allowedCapabilities: ['CHOWN'] },
      {},
      { securityContext: { capabilities: { add: ['CHOWN', 'SYS_ADMIN'] } } },
      'spec.containers[0].securityContext.capabilities.add: Invalid value: "SYS_ADMIN": capability may not be added',
    ],
    [
      'ports of the host',
      { hostPorts: [{ min: 8000, max: 8080 }] },
      {},
      { ports: [{ containerPort: 80, hostPort: 80 }] },
      'spec.containers[0].securityContext.containers.ports: Invalid value: 80: Host port 80 is not allowed to be used. Allowed ports: [8000-8080]',
    ],
    [
      'sysctls',
      { allowedUnsafeSysctls: ['net.core.*'] },
      { securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } },
      {},
      'spec.securityContext.sysctls[0]: Forbidden: unsafe sysctl "kernel.msgmax" is not allowed',
    ],
  ]
  for (const [name, spec, members, container, message] of cases) {
    it(`${name} that the policy does not allow`, async () => {
      const { pod } = await cluster(['policy', spec])
      const { status, json } = await pod(members, container, 'admin')
      expect(status).toBe(403)
      expect(json.message).toContain(`PodSecurityPolicy: unable to admit pod: [`)
      expect(json.message).toContain(message)
    })
  }
})

it('a policy names the rule of each strategy', async () => {
  const { server } = await cluster()
  const body = {
    apiVersion: 'policy/v1beta1',
    kind: 'PodSecurityPolicy',
    metadata: { name: 'odd' },
    spec: { ...LAX, fsGroup: { rule: 'Never' } },
  }
  const { status, json } = await sendRequest(server, { method: 'POST', path: POLICIES, body })
  expect(status).toBe(422)
  expect(json.message).toContain(
    'spec.fsGroup.rule: Unsupported value: "Never": supported values: "MayRunAs", "MustRunAs", "RunAsAny"',
  )
})

it('is shown as a table, and is the same in extensions/v1beta1', async () => {
  const server = testServer({ release: '1.15' })
  const body = {
    apiVersion: 'extensions/v1beta1',
    kind: 'PodSecurityPolicy',
    metadata: { name: 'it' },
    spec: { ...LAX, privileged: true },
  }
  const made = await sendRequest(server, {
    method: 'POST',
    path: '/apis/extensions/v1beta1/podsecuritypolicies',
    body,
  })
  expect(made.status, made.text).toBe(201)
  const table = await sendRequest(server, {
    path: POLICIES,
    headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
  })
  expect((table.json.columnDefinitions as { name: string }[]).map(({ name }) => name)).toEqual([
    ...[
      'Name',
      'Priv',
      'Caps',
      'Selinux',
      'RunAsUser',
      'FsGroup',
      'SupGroup',
      'ReadOnlyRootFs',
      'Volumes',
    ],
  ])
  expect(table.json.rows[0].cells).toEqual([
    'it',
    'true',
    '',
    'RunAsAny',
    'RunAsAny',
    'RunAsAny',
    'RunAsAny',
    'false',
    '*',
  ])
})
