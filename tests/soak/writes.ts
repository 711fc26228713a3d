/** What is written while the soak test runs: objects of several kinds come, change in every way, and go. Names are never used twice. */
import type { WriteOrder, WriteResponse } from './types'

const NAMESPACES = ['soak-a', 'soak-b', 'soak-c']
const MERGE = 'application/merge-patch+json'
const JSON_PATCH = 'application/json-patch+json'
const STRATEGIC = 'application/strategic-merge-patch+json'
const APPLY = 'application/apply-patch+yaml'
const MANAGER = 'fieldManager=soak&force=true'

type Json = Record<string, unknown>

interface Living {
  kind: Kind
  namespace: string
  name: string
  /** How often it was changed: what is written next differs from what is there. */
  turn: number
  busy: boolean
}

interface Kind {
  kind: string
  apiVersion: string
  /** `api/v1` */
  root: string
  resource: string
  namespaced: boolean
  /** At most so many live at a time. */
  most: number
  /** How often it is chosen, next to the others. */
  weight: number
  make(turn: number): Json
  /** Ways to change one; each makes a difference for each turn. */
  changes: ((
    turn: number,
    object: Living,
  ) => Pick<WriteOrder, 'body' | 'contentType'> & { subresource?: string; query?: string })[]
}

/** A write that the server has acknowledged. */
export interface Acknowledged {
  /** `NAMESPACE/NAME` */
  key: string
  kind: string
  deleted: boolean
  /** NaN for a deletion, whose response may omit it. */
  revision: number
  at: number
}

const applied = ({ kind, name, namespace }: Living, fields: Json) => ({
  contentType: APPLY,
  query: MANAGER,
  body: {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: { name, ...(kind.namespaced ? { namespace } : {}) },
    ...fields,
  },
})

const deploymentOf = (turn: number): Json => ({
  spec: {
    replicas: 1 + (turn % 3),
    selector: { matchLabels: { app: 'soak' } },
    template: {
      metadata: { labels: { app: 'soak' } },
      spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] },
    },
  },
})

const KINDS: Kind[] = [
  {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    root: 'api/v1',
    resource: 'configmaps',
    namespaced: true,
    most: 60,
    weight: 10,
    make: (turn) => ({ data: { turn: String(turn), text: 'x'.repeat(200) } }),
    changes: [
      (turn) => ({ contentType: MERGE, body: { data: { merged: String(turn) } } }),
      (turn) => ({
        contentType: JSON_PATCH,
        body: [{ op: 'add', path: '/data/patched', value: String(turn) }],
      }),
      (turn, object) => applied(object, { data: { applied: String(turn) } }),
    ],
  },
  {
    kind: 'Secret',
    apiVersion: 'v1',
    root: 'api/v1',
    resource: 'secrets',
    namespaced: true,
    most: 20,
    weight: 3,
    make: (turn) => ({ stringData: { turn: String(turn) } }),
    changes: [
      (turn) => ({ contentType: STRATEGIC, body: { stringData: { changed: String(turn) } } }),
    ],
  },
  {
    kind: 'Service',
    apiVersion: 'v1',
    root: 'api/v1',
    resource: 'services',
    namespaced: true,
    most: 15,
    weight: 2,
    make: () => ({ spec: { selector: { app: 'soak' }, ports: [{ port: 80 }] } }),
    changes: [
      (turn) => ({
        contentType: MERGE,
        body: { metadata: { annotations: { turn: String(turn) } } },
      }),
    ],
  },
  {
    kind: 'Widget',
    apiVersion: 'soak.example.com/v1',
    root: 'apis/soak.example.com/v1',
    resource: 'widgets',
    namespaced: true,
    most: 20,
    weight: 3,
    make: (turn) => ({ spec: { size: turn } }),
    changes: [
      (turn, object) => applied(object, { spec: { size: 1000 + turn } }),
      (turn) => ({ contentType: MERGE, body: { spec: { merged: turn } } }),
    ],
  },
  {
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    root: 'apis/apps/v1',
    resource: 'deployments',
    namespaced: true,
    most: 10,
    weight: 1,
    make: deploymentOf,
    changes: [
      (turn) => ({
        subresource: '/scale',
        contentType: MERGE,
        body: { spec: { replicas: 1 + (turn % 4) } },
      }),
      (turn) => ({
        subresource: '/scale',
        contentType: MERGE,
        body: { spec: { replicas: 1 + (turn % 4) } },
      }),
      (turn) => ({
        contentType: STRATEGIC,
        body: {
          spec: {
            template: { spec: { containers: [{ name: 'web', image: `nginx:1.${turn % 30}` }] } },
          },
        },
      }),
    ],
  },
  {
    kind: 'Namespace',
    apiVersion: 'v1',
    root: 'api/v1',
    resource: 'namespaces',
    namespaced: false,
    most: 3,
    weight: 0.1,
    make: () => ({}),
    changes: [
      (turn) => ({ contentType: MERGE, body: { metadata: { labels: { turn: String(turn) } } } }),
    ],
  },
]

const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.soak.example.com' },
  spec: {
    group: 'soak.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { size: { type: 'integer' }, merged: { type: 'integer' } },
              },
            },
          },
        },
      },
    ],
  },
}

/** What has to be there before the first write. */
export function preparations(): WriteOrder[] {
  return [
    ...NAMESPACES.map((name) => ({
      path: 'api/v1/namespaces',
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
    })),
    { path: 'apis/apiextensions.k8s.io/v1/customresourcedefinitions', body: DEFINITION },
  ].map((order, index) => ({ ...order, method: 'POST', identity: `prepare-${index}` }))
}

export class Writer {
  private readonly living: Living[] = []
  private count = 0
  readonly acknowledged: Acknowledged[] = []
  /** Rejected requests, and those without a response, a sentence each. */
  readonly problems: string[] = []
  /** So many writes were sent again, since the worker died under them. */
  repeated = 0
  slowest = 0

  /** @param chance numbers from 0 up to 1 @param now milliseconds */
  constructor(
    private readonly chance: () => number,
    private readonly now: () => number,
  ) {}

  /** One write, chosen by chance. @param send resolves with the response, however late */
  async write(send: (order: WriteOrder) => Promise<WriteResponse>): Promise<void> {
    const kind = this.choose(KINDS, ({ weight }) => weight)
    const own = this.living.filter((object) => object.kind === kind)
    const idle = own.filter(({ busy }) => !busy)
    const fate = this.chance()
    const object = idle[Math.floor(this.chance() * idle.length)]
    const full = own.length >= kind.most
    if (object === undefined || (!full && fate < 0.2))
      return full ? undefined : this.create(kind, send)
    object.busy = true
    if (full && fate < 0.35) await this.delete(object, send)
    else await this.change(object, send)
    object.busy = false
  }

  private choose<Item>(items: readonly Item[], weightOf: (item: Item) => number): Item {
    let rest = this.chance() * items.reduce((sum, item) => sum + weightOf(item), 0)
    const found = items.find((item) => {
      rest -= weightOf(item)
      return rest < 0
    })
    return found ?? (items[0] as Item)
  }

  private async create(
    kind: Kind,
    send: (order: WriteOrder) => Promise<WriteResponse>,
  ): Promise<void> {
    const number = ++this.count
    const name = `${kind.resource}-${number}`
    const namespace = kind.namespaced ? (NAMESPACES[number % NAMESPACES.length] as string) : ''
    const object: Living = { kind, namespace, name, turn: 0, busy: true }
    this.living.push(object)
    const metadata = {
      name,
      ...(kind.namespaced ? { namespace } : {}),
      labels: { lane: number % 2 === 0 ? 'even' : 'odd' },
    }
    const body = { apiVersion: kind.apiVersion, kind: kind.kind, metadata, ...kind.make(number) }
    const done = await this.send(object, send, { method: 'POST', path: collectionOf(object), body })
    object.busy = false
    if (!done) this.living.splice(this.living.indexOf(object), 1)
  }

  private async change(
    object: Living,
    send: (order: WriteOrder) => Promise<WriteResponse>,
  ): Promise<void> {
    const { kind } = object
    const turn = ++object.turn
    const way = kind.changes[Math.floor(this.chance() * kind.changes.length)]
    if (way === undefined) return
    const { subresource = '', query, ...order } = way(turn, object)
    const path = `${collectionOf(object)}/${object.name}${subresource}${query ? `?${query}` : ''}`
    await this.send(object, send, { method: 'PATCH', path, ...order })
  }

  private async delete(
    object: Living,
    send: (order: WriteOrder) => Promise<WriteResponse>,
  ): Promise<void> {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' }
    const done = await this.send(object, send, {
      method: 'DELETE',
      path: `${collectionOf(object)}/${object.name}`,
      body,
    })
    if (done) this.living.splice(this.living.indexOf(object), 1)
  }

  private async send(
    { kind, namespace, name }: Living,
    send: (order: WriteOrder) => Promise<WriteResponse>,
    order: Omit<WriteOrder, 'identity'>,
  ): Promise<boolean> {
    const identity = `soak-${this.acknowledged.length}-${Math.floor(this.chance() * 1e9)}`
    const { status, revision, message, tries, milliseconds } = await send({ ...order, identity })
    if (tries > 1) this.repeated++
    this.slowest = Math.max(this.slowest, milliseconds)
    const done = status >= 200 && status < 300
    if (!done) this.problems.push(`${order.method} ${order.path} returned ${status}: ${message}`)
    else {
      const deleted = order.method === 'DELETE'
      this.acknowledged.push({
        key: `${namespace}/${name}`,
        kind: kind.kind,
        deleted,
        revision: deleted ? Number.NaN : revision,
        at: this.now(),
      })
    }
    return done
  }
}

function collectionOf({ kind, namespace }: Living): string {
  return kind.namespaced
    ? `${kind.root}/namespaces/${namespace}/${kind.resource}`
    : `${kind.root}/${kind.resource}`
}
