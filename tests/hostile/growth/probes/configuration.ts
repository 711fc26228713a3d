/** Configuration files of the server that grow, and a request that the configured server handles. */
import { FileError, type Signatures } from '../../../../src/engine/core/environment'
import type { ApiServerOptions } from '../../../../src/engine/server/server-options'
import { parseAuditPolicy } from '../../../../src/engine/telemetry/audit/policy'
import { type Probe, target, times } from './probe'

const FILE = '/etc/configuration.yaml'

function configured(
  name: string,
  text: (size: number) => string,
  options: (text: string) => Partial<ApiServerOptions>,
): Probe {
  return {
    name: `configuration: ${name}`,
    async prepare(size, fail) {
      const content = text(size)
      const files = {
        read(path: string) {
          if (path !== FILE) throw new FileError(path, 'no such file or directory')
          return content
        },
      }
      return async () => {
        try {
          const { send } = target(fail, { files, ...options(content) })
          return await send({
            method: 'POST',
            path: '/api/v1/namespaces/default/configmaps',
            body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } },
            headers: [['authorization', 'Bearer alice']],
          })
        } catch (error) {
          // What is wrong with the file ends the server, as the real one.
          return `rejected ${error instanceof Error ? error.message : ''}`
        }
      }
    },
  }
}

const yaml = (value: object) => JSON.stringify(value)
const admission = (plugin: string, configuration: object) =>
  yaml({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AdmissionConfiguration',
    plugins: [{ name: plugin, configuration }],
  })
const admissionFile = () => ({ admissionControlConfigFile: FILE })
const authorization = (authorizers: object[]) =>
  yaml({
    apiVersion: 'apiserver.config.k8s.io/v1beta1',
    kind: 'AuthorizationConfiguration',
    authorizers,
  })
const authorizationFile = () => ({ authorization: { configFile: FILE } })
const authentication = (jwt: object[]) =>
  yaml({ apiVersion: 'apiserver.config.k8s.io/v1beta1', kind: 'AuthenticationConfiguration', jwt })
/** The file is read where tokens can be verified; no request here has one. */
const NO_SIGNATURES: Signatures = {
  generateKey: () => Promise.reject(new Error('no key is needed')),
  sign: () => Promise.reject(new Error('nothing is signed')),
  verify: () => Promise.resolve(false),
}
const authenticationFile = () => ({ authenticationConfig: FILE, signatures: NO_SIGNATURES })
const webhook = (i: number, more: object = {}) => ({
  type: 'Webhook',
  name: `w${i}`,
  webhook: {
    timeout: '1s',
    authorizedTTL: '1s',
    unauthorizedTTL: '1s',
    subjectAccessReviewVersion: 'v1',
    matchConditionSubjectAccessReviewVersion: 'v1',
    failurePolicy: 'NoOpinion',
    connectionInfo: { type: 'InClusterConfig' },
    ...more,
  },
})
const issuer = (i: number, more: object = {}) => ({
  issuer: { url: `https://i${i}.example.com`, audiences: ['a'] },
  claimMappings: { username: { claim: 'sub', prefix: '' } },
  ...more,
})
const audit = (rules: object[]) => yaml({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules })
const auditPolicy = (text: string) => ({
  audit: { policy: parseAuditPolicy(text), sink: () => undefined },
})

export const CONFIGURATION_PROBES: readonly Probe[] = [
  configured(
    'plugins of admission',
    (size) =>
      yaml({
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'AdmissionConfiguration',
        plugins: times(size, (i) => ({ name: `p${i}`, configuration: {} })),
      }),
    admissionFile,
  ),
  configured(
    'exemptions of PodSecurity',
    (size) =>
      admission('PodSecurity', {
        apiVersion: 'pod-security.admission.config.k8s.io/v1',
        kind: 'PodSecurityConfiguration',
        defaults: { enforce: 'baseline' },
        exemptions: {
          namespaces: times(size, (i) => `n${i}`),
          usernames: times(size, (i) => `u${i}`),
          runtimeClasses: times(size, (i) => `r${i}`),
        },
      }),
    admissionFile,
  ),
  configured(
    'limits of EventRateLimit',
    (size) =>
      admission('EventRateLimit', {
        apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1',
        kind: 'Configuration',
        limits: times(size, () => ({ type: 'Server', qps: 1, burst: 1 })),
      }),
    admissionFile,
  ),
  configured(
    'limited resources of ResourceQuota',
    (size) =>
      admission('ResourceQuota', {
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'ResourceQuotaConfiguration',
        limitedResources: times(size, (i) => ({ resource: `r${i}`, matchContains: ['a'] })),
      }),
    admissionFile,
  ),
  configured(
    'authorizers',
    (size) => authorization(times(size, (i) => webhook(i))),
    authorizationFile,
  ),
  configured(
    'match conditions of an authorizer',
    (size) =>
      authorization([
        webhook(0, {
          matchConditions: times(size, (i) => ({ expression: `request.user != "u${i}"` })),
        }),
      ]),
    authorizationFile,
  ),
  configured(
    'issuers of tokens',
    (size) => authentication(times(size, (i) => issuer(i))),
    authenticationFile,
  ),
  configured(
    'audiences of an issuer',
    (size) =>
      authentication([
        issuer(0, {
          issuer: {
            url: 'https://i.example.com',
            audiences: times(size, (i) => `a${i}`),
            audienceMatchPolicy: 'MatchAny',
          },
        }),
      ]),
    authenticationFile,
  ),
  configured(
    'rules of claims',
    (size) =>
      authentication([
        issuer(0, {
          claimValidationRules: times(size, (i) => ({ claim: `c${i}`, requiredValue: 'v' })),
        }),
      ]),
    authenticationFile,
  ),
  configured(
    'expressions of claims',
    (size) =>
      authentication([
        issuer(0, {
          claimValidationRules: times(size, (i) => ({ expression: `claims.c${i} == "v"` })),
        }),
      ]),
    authenticationFile,
  ),
  configured(
    'rules of users',
    (size) =>
      authentication([
        issuer(0, {
          userValidationRules: times(size, (i) => ({ expression: `user.username != "v${i}"` })),
        }),
      ]),
    authenticationFile,
  ),
  configured(
    'extras of users',
    (size) =>
      authentication([
        issuer(0, {
          claimMappings: {
            username: { expression: '"u"' },
            extra: times(size, (i) => ({ key: `example.com/k${i}`, valueExpression: '"v"' })),
          },
        }),
      ]),
    authenticationFile,
  ),
  configured(
    'rules of the audit policy',
    (size) => audit(times(size, (i) => ({ level: 'None', users: [`u${i}`] }))),
    auditPolicy,
  ),
  configured(
    'users of an audit rule',
    (size) =>
      audit([
        {
          level: 'None',
          users: times(size, (i) => `u${i}`),
          namespaces: times(size, (i) => `n${i}`),
          verbs: times(size, (i) => `v${i}`),
        },
      ]),
    auditPolicy,
  ),
  configured(
    'resources of an audit rule',
    (size) =>
      audit([
        { level: 'None', resources: times(size, (i) => ({ group: `g${i}`, resources: ['a'] })) },
      ]),
    auditPolicy,
  ),
  configured(
    'tokens',
    (size) => times(size, (i) => `t${i},u${i},${i},"g"`).join('\n'),
    (text) => ({ tokens: text }),
  ),
]
