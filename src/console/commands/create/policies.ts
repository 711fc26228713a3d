import type { Json, JsonObject } from '../../../engine/core/object'
import { CommandError } from '../../errors'
import { type Generator, newMetadata } from './generator'

const namespace: Generator = {
  name: 'namespace',
  aliases: ['ns'],
  summary: 'Create a namespace with the specified name',
  usage: 'namespace NAME [--dry-run=server|client|none]',
  example: 'create namespace shop',
  resource: 'namespaces',
  namespaced: false,
  flags: [],
  build: ({ name }) => ({
    kind: 'Namespace',
    apiVersion: 'v1',
    metadata: newMetadata(name),
    spec: {},
    status: {},
  }),
}

const quota: Generator = {
  name: 'quota',
  called: 'quota:',
  aliases: ['resourcequota'],
  summary: 'Create a quota with the specified name',
  usage:
    'quota NAME [--hard=key1=value1,key2=value2] [--scopes=Scope1,Scope2] [--dry-run=server|client|none]',
  example: 'create quota small --hard=pods=5,cpu=2',
  resource: 'resourcequotas',
  namespaced: true,
  flags: [
    {
      name: 'hard',
      type: 'text',
      about: 'A comma-delimited set of resource=quantity pairs that define a hard limit.',
    },
    {
      name: 'scopes',
      type: 'text',
      about:
        'A comma-delimited set of quota scopes that must all match each object tracked by the quota.',
    },
  ],
  build({ name, invocation: { flags } }) {
    const pairs = flags.text('hard') === '' ? [] : flags.text('hard').split(',')
    const hard = pairs.map((pair): [string, string] => {
      const [resource, amount, ...rest] = pair.split('=')
      if (!resource || amount === undefined || rest.length > 0)
        throw new CommandError(`Invalid argument syntax ${pair}, expected <resource>=<value>`)
      return [resource, amount]
    })
    const scopes = flags.text('scopes') === '' ? [] : flags.text('scopes').split(',')
    return {
      kind: 'ResourceQuota',
      apiVersion: 'v1',
      metadata: newMetadata(name),
      spec: {
        ...(hard.length === 0
          ? {}
          : { hard: Object.fromEntries(hard.sort(([a], [b]) => (a < b ? -1 : 1))) }),
        ...(scopes.length === 0 ? {} : { scopes }),
      },
      status: {},
    }
  },
}

/** A number, or a percentage as text. */
const intOrText = (text: string): number | string => (/^-?\d+$/.test(text) ? Number(text) : text)

const budget: Generator = {
  name: 'poddisruptionbudget',
  called: 'poddisruptionbudgets:',
  aliases: ['pdb'],
  summary: 'Create a pod disruption budget with the specified name',
  usage:
    'poddisruptionbudget NAME --selector=SELECTOR --min-available=N [--dry-run=server|client|none]',
  example: 'create poddisruptionbudget web --selector=app=web --min-available=1',
  resource: 'poddisruptionbudgets.policy',
  namespaced: true,
  flags: [
    {
      name: 'selector',
      type: 'text',
      about:
        'A label selector to use for this budget. Only equality-based selector requirements are supported.',
    },
    {
      name: 'min-available',
      type: 'text',
      about: 'The minimum number or percentage of available pods this budget requires.',
    },
    {
      name: 'max-unavailable',
      type: 'text',
      about: 'The maximum number or percentage of unavailable pods this budget requires.',
    },
  ],
  build({ name, invocation: { flags } }) {
    if (flags.text('selector') === '') throw new CommandError('a selector must be specified')
    const [least, most] = [flags.text('min-available'), flags.text('max-unavailable')]
    if (least === '' && most === '')
      throw new CommandError('one of min-available or max-unavailable must be specified')
    if (least !== '' && most !== '')
      throw new CommandError('min-available and max-unavailable cannot be both specified')
    const selector: JsonObject = {
      matchLabels: Object.fromEntries(
        flags
          .text('selector')
          .split(',')
          .map((pair) => pair.split(/==?(.*)/s).slice(0, 2)),
      ),
    }
    return {
      kind: 'PodDisruptionBudget',
      apiVersion: 'policy/v1',
      metadata: newMetadata(name),
      spec: {
        ...(least === '' ? {} : { minAvailable: intOrText(least) }),
        selector,
        ...(most === '' ? {} : { maxUnavailable: intOrText(most) }),
      },
      status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
    }
  },
}

const priorityClass: Generator = {
  name: 'priorityclass',
  called: 'priorityclass:',
  aliases: ['pc'],
  summary: 'Create a priority class with the specified name',
  usage: 'priorityclass NAME --value=VALUE --global-default=BOOL [--dry-run=server|client|none]',
  example: 'create priorityclass high --value=1000 --description="goes first"',
  resource: 'priorityclasses.scheduling.k8s.io',
  namespaced: false,
  flags: [
    { name: 'value', type: 'number', about: 'The value of this priority class.' },
    {
      name: 'global-default',
      type: 'on',
      about: 'Whether this PriorityClass is the default for pods that do not name one.',
    },
    {
      name: 'description',
      type: 'text',
      about:
        'An arbitrary string that usually provides guidelines on when this priority class should be used.',
    },
    {
      name: 'preemption-policy',
      type: 'text',
      default: 'PreemptLowerPriority',
      about: 'The policy for preempting pods with lower priority.',
    },
  ],
  build({ name, invocation: { flags } }) {
    return {
      kind: 'PriorityClass',
      apiVersion: 'scheduling.k8s.io/v1',
      metadata: newMetadata(name),
      value: flags.number('value'),
      ...(flags.on('global-default') ? { globalDefault: true } : {}),
      ...(flags.text('description') === '' ? {} : { description: flags.text('description') }),
      preemptionPolicy: flags.text('preemption-policy'),
    }
  },
}

const ingress: Generator = {
  name: 'ingress',
  called: 'ingress:',
  aliases: ['ing'],
  summary: 'Create an ingress with the specified name',
  usage: 'ingress NAME --rule=host/path=service:port[,tls[=secret]]',
  example: 'create ingress web --rule="example.com/*=web:80"',
  resource: 'ingresses.networking.k8s.io',
  namespaced: true,
  flags: [
    { name: 'class', type: 'text', about: 'Ingress Class to be used.' },
    {
      name: 'rule',
      type: 'texts',
      about:
        "Rule in format host/path=service:port[,tls=secretname]. Paths containing the leading character '*' are considered pathType=Prefix. Can be repeated.",
    },
    {
      name: 'default-backend',
      type: 'text',
      about: 'Default service for backend, in format of svcname:port.',
    },
    {
      name: 'annotation',
      type: 'texts',
      about:
        'Annotation to insert in the ingress object, in the format annotation=value. Can be repeated.',
    },
  ],
  build(made) {
    const { name, invocation } = made
    const { flags } = invocation
    const rules = flags.list('rule')
    if (rules.length === 0 && flags.text('default-backend') === '') {
      throw new CommandError(
        'not enough information provided: every ingress has to either specify a default-backend (which catches all traffic) or a list of rules (which catch specific paths)',
      )
    }
    const annotations = Object.fromEntries(
      flags.list('annotation').map((text) => text.split(/=(.*)/s).slice(0, 2)),
    )
    const read = rules.map(readRule)
    const backend = flags.text('default-backend')
    return {
      kind: 'Ingress',
      apiVersion: 'networking.k8s.io/v1',
      metadata: newMetadata(name, flags.has('annotation') ? { annotations } : {}),
      spec: {
        ...(flags.text('class') === '' ? {} : { ingressClassName: flags.text('class') }),
        ...(backend === '' ? {} : { defaultBackend: backendOf(backend) }),
        ...(read.some(({ tls }) => tls !== undefined) ? { tls: tlsOf(read) } : {}),
        ...(read.length === 0 ? {} : { rules: rulesOf(read) }),
      },
      status: { loadBalancer: {} },
    }
  },
}

interface ReadRule {
  host: string
  path: string
  service: string
  /** Empty for TLS without a secret, undefined without TLS. */
  tls: string | undefined
}

function readRule(text: string): ReadRule {
  const found =
    /^(?<host>[\w*.-]*)(?<path>\/[^,=]*)=(?<service>[^,:]+:[^,]+)(?:,tls(?:=(?<secret>[\w.-]+))?)?$/.exec(
      text,
    )?.groups
  if (found === undefined) {
    throw new CommandError(
      `rule ${text} is invalid and should be in format host/path=svcname:svcport[,tls[=secret]]`,
    )
  }
  const tls = text.includes(',tls') ? (found.secret ?? '') : undefined
  return { host: found.host ?? '', path: found.path ?? '', service: found.service ?? '', tls }
}

function backendOf(text: string): JsonObject {
  const [name = '', port = '', ...rest] = text.split(':')
  if (name === '' || port === '' || rest.length > 0)
    throw new CommandError(`default-backend should be in format servicename:serviceport`)
  return { service: { name, port: /^\d+$/.test(port) ? { number: Number(port) } : { name: port } } }
}

/** Groups paths by host; a trailing star matches everything below. */
function rulesOf(rules: ReadRule[]): Json[] {
  return [...new Set(rules.map(({ host }) => host))].map((host) => ({
    ...(host === '' ? {} : { host }),
    http: {
      paths: rules
        .filter((rule) => rule.host === host)
        .map(({ path, service }) => ({
          path: path.replace(/\*$/, ''),
          pathType: path.endsWith('*') ? 'Prefix' : 'Exact',
          backend: backendOf(service),
        })),
    },
  }))
}

function tlsOf(rules: ReadRule[]): Json[] {
  const secure = rules.filter(({ tls }) => tls !== undefined)
  return [...new Set(secure.map(({ tls }) => tls ?? ''))].map((secretName) => {
    const hosts = [
      ...new Set(
        secure.filter(({ tls, host }) => tls === secretName && host !== '').map(({ host }) => host),
      ),
    ]
    return {
      ...(hosts.length === 0 ? {} : { hosts }),
      ...(secretName === '' ? {} : { secretName }),
    }
  })
}

export const POLICIES: readonly Generator[] = [namespace, quota, budget, priorityClass, ingress]
