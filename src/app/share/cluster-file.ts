/** The whole cluster as one YAML file, out and in. */
import { parseAllDocuments, stringify } from 'yaml'
import type { KubeObject } from '../../engine/object'
import { useCluster } from '../state/cluster'
import { useConnection } from '../state/connection'
import { useDiscovery } from '../state/discovery'

function channel() {
  const { connection } = useConnection.getState()
  if (connection === undefined) throw new Error('the API server has not started yet')
  return connection.channel
}

export async function exportObjects(): Promise<KubeObject[]> {
  return (await channel().request('export', undefined)).objects
}

/** What a fresh server makes by itself is marked as its own work: a link need not carry it. */
export function withoutBootstrap(objects: readonly KubeObject[]): KubeObject[] {
  return objects.filter(({ metadata }) => {
    const managers = metadata.managedFields ?? []
    return managers.length === 0 || managers.some(({ manager }) => !isServer(manager ?? ''))
  })
}

const isServer = (manager: string): boolean => manager === 'kube-apiserver' || manager.startsWith('api-priority-and-fairness-config-')

/** Secrets without what makes them secret. */
export function withoutSecretValues(objects: readonly KubeObject[]): KubeObject[] {
  return objects.map((object) => (isSecret(object) ? { ...object, data: undefined } : object))
}

export function hasSecrets(objects: readonly KubeObject[]): boolean {
  return objects.some((object) => isSecret(object) && object.data !== undefined)
}

const isSecret = ({ kind, apiVersion }: KubeObject): boolean => kind === 'Secret' && apiVersion === 'v1'

export function toYamlFile(objects: readonly KubeObject[]): string {
  return objects.map((object) => stringify(JSON.parse(JSON.stringify(object)), { lineWidth: 0 })).join('---\n')
}

/** @throws Error naming the document that is no object */
export function fromYamlFile(text: string): KubeObject[] {
  const objects: KubeObject[] = []
  for (const [index, document] of parseAllDocuments(text).entries()) {
    if (!('errors' in document)) continue
    const [error] = document.errors
    if (error) throw new Error(`document ${index + 1}: ${error.message}`)
    const value = document.toJSON() as Partial<KubeObject> | null
    if (value === null) continue
    if (typeof value.kind !== 'string' || typeof value.apiVersion !== 'string' || typeof value.metadata?.name !== 'string') {
      throw new Error(`document ${index + 1} is no object: apiVersion, kind and metadata.name are needed`)
    }
    objects.push(value as KubeObject)
  }
  if (objects.length === 0) throw new Error('the file holds no objects')
  return objects
}

/** Replaces everything; what every server has by itself is made again if it is missing. */
export async function importObjects(objects: KubeObject[]): Promise<void> {
  await channel().request('import', { objects })
  await followAnew()
}

export async function resetCluster(): Promise<void> {
  await channel().request('reset', undefined)
  await followAnew()
}

async function followAnew(): Promise<void> {
  await useDiscovery.getState().load()
  useCluster.getState().follow()
}

export function download(name: string, text: string, type = 'application/yaml'): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
