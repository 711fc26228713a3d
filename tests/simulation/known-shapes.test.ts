/** Applications of several Deployments, in the shape of well-known examples, become ready. */
import { afterEach, expect, it } from 'vitest'
import { type Pods, podsOn } from './pods'

let pods: Pods
afterEach(() => pods.cluster.close())

interface App {
  name: string
  image: string
  port: number
  container?: object
  spec?: object
}

async function deploy(...apps: App[]) {
  for (const { name, image, port, container = {}, spec = {} } of apps) {
    await pods.create('services', {
      metadata: { name },
      spec: { selector: { app: name }, ports: [{ port }] },
    })
    const containers = [{ name, image, ports: [{ containerPort: port }], ...container }]
    await pods.cluster.sendRequest({
      method: 'POST',
      path: '/apis/apps/v1/namespaces/default/deployments',
      body: {
        metadata: { name },
        spec: {
          selector: { matchLabels: { app: name } },
          template: { metadata: { labels: { app: name } }, spec: { ...spec, containers } },
        },
      },
    })
  }
}

async function ready(): Promise<string[]> {
  const path = '/apis/apps/v1/namespaces/default/deployments'
  const { items } = (await pods.cluster.sendRequest({ path })).json
  return items
    .filter(({ status }: { status: { readyReplicas?: number } }) => status.readyReplicas === 1)
    .map(({ metadata }: { metadata: { name: string } }) => metadata.name)
}

it('a shop of services with gRPC probes, and a generator of load that waits for it', async () => {
  pods = await podsOn({ nodes: 3, scheduler: true })
  const registry = 'registry.example.com/microservices-demo'
  const probes = {
    readinessProbe: { grpc: { port: 7070 } },
    livenessProbe: { grpc: { port: 7070 } },
  }
  const securityContext = { fsGroup: 1000, runAsNonRoot: true, runAsUser: 1000 }
  const services = ['cart', 'email', 'payment']
  const wait = 'until wget -qO- http://web; do sleep 2; done'
  await deploy(
    ...services.map((name) => ({
      name,
      image: `${registry}/${name}:v1`,
      port: 7070,
      container: probes,
      spec: { securityContext },
    })),
    {
      name: 'load',
      image: `${registry}/load:v1`,
      port: 8089,
      spec: { initContainers: [{ name: 'w', image: 'busybox', command: ['sh', '-c', wait] }] },
    },
  )
  await pods.cluster.pass(30)
  expect(await ready()).toEqual(services)
  await deploy({ name: 'web', image: 'nginx', port: 80 })
  await pods.cluster.pass(30)
  expect(await ready()).toEqual(['cart', 'email', 'load', 'payment', 'web'])
})

it('a blog and its database wait for their volumes', async () => {
  pods = await podsOn({ nodes: 3, scheduler: true })
  const names = ['blog', 'database']
  for (const name of names)
    await pods.create('persistentvolumeclaims', {
      metadata: { name },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    })
  const volume = (claimName: string) => ({
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
  })
  const password = { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'p', key: 'password' } } }
  await pods.create('secrets', { metadata: { name: 'p' }, stringData: { password: 'secret' } })
  const mount = (mountPath: string) => ({
    env: [password],
    volumeMounts: [{ name: 'data', mountPath }],
  })
  const [web, database] = ['/var/www/html', '/var/lib/mysql'].map(mount)
  await deploy(
    { name: 'blog', image: 'wordpress:6', port: 80, container: web, spec: volume('blog') },
    {
      name: 'database',
      image: 'mysql:8.0',
      port: 3306,
      container: database,
      spec: volume('database'),
    },
  )
  await pods.cluster.pass(10)
  expect(await ready()).toEqual([])
  for (const name of names)
    await pods.cluster.sendRequest({
      method: 'POST',
      path: '/api/v1/persistentvolumes',
      body: {
        metadata: { name },
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: `/data/${name}` },
        },
      },
    })
  await pods.cluster.pass(60)
  expect(await ready()).toEqual(names)
})
