import { createWriteStream, rmSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import type { JsonObject, KubeObject } from '../../engine/core/object'
import { toYaml } from '../../engine/encoding/yaml'
import {
  type Command,
  type ExitStatus,
  type Given,
  InputError,
  type Terminal,
  textOption,
  UsageError,
} from '../command'
import { isSecret, withoutValues } from '../manifests/secrets'
import { type ClusterClient, ClusterError, clusterClient } from './cluster-client'
import { type ListedResource, listedResources, objectsOf, releaseOf } from './cluster-reader'
import { accessOf, kubeconfigFiles } from './kubeconfig'

export const IMPORT: Command = {
  name: 'import',
  summary: 'Copy the objects of a cluster to a file',
  usage: '--output-file FILE [flags]',
  description: `Copy the objects of a cluster to a file.

The page opens the file as a workspace, and "kubetab check --cluster" checks changes against it.
Only GET requests are sent. Values of Secrets are replaced by "omitted", unless --secrets is given.
Events, Leases, Endpoints and EndpointSlices are not copied.`,
  examples: [
    { comment: 'See what would be copied', line: 'kubetab import --context staging --dry-run' },
    {
      comment: 'Copy two namespaces, and what belongs to no namespace',
      line: 'kubetab import --namespaces shop,payments --output-file cluster.yaml',
    },
  ],
  exit: {
    0: 'the objects were copied',
    1: 'some resources could not be read; the others were copied',
    2: 'the command line is invalid, or the cluster cannot be read',
  },
  options: {
    context: {
      type: 'string',
      value: 'NAME',
      help: 'The context of the kubeconfig; the current one by default.',
    },
    kubeconfig: {
      type: 'string',
      value: 'FILE',
      help: 'The kubeconfig; by default those of $KUBECONFIG, or ~/.kube/config.',
    },
    namespaces: {
      type: 'string',
      value: 'NAMES',
      help: 'Namespaces, separated by commas; all by default.',
    },
    secrets: { type: 'boolean', default: false, help: 'Copy the values of Secrets.' },
    'dry-run': {
      type: 'boolean',
      default: false,
      help: 'Print the number of objects of each resource and their size, and write nothing.',
    },
    'output-file': { type: 'string', value: 'FILE', help: 'The file to write; it must not exist.' },
  },
  run: runImport,
}

interface Copied {
  resource: string
  objects: number
  bytes: number
}

async function runImport(given: Given, terminal: Terminal): Promise<ExitStatus> {
  if (given.positionals.length > 0) throw new UsageError('no arguments are expected, only flags')
  const file = textOption(given, 'output-file')
  const isTrial = given.options['dry-run'] === true
  if (file === undefined && !isTrial) throw new UsageError('pass --output-file FILE, or --dry-run')
  const kubeconfig = textOption(given, 'kubeconfig')
  const access = accessOf(
    kubeconfig === undefined ? kubeconfigFiles() : [kubeconfig],
    textOption(given, 'context'),
  )
  const client = clusterClient(access)
  let sink: Sink | undefined
  try {
    const release = await releaseOf(client)
    terminal.writeError(`Reading ${access.server} (Kubernetes ${release}).\n`)
    const resources = await listedResources(client)
    sink = isTrial || file === undefined ? undefined : await opened(file)
    await sink?.write(`# A cluster of Kubernetes ${release}\n`)
    const { copied, failures } = await copy(client, resources, given, terminal, async (text) =>
      sink?.write(text),
    )
    await sink?.close()
    terminal.write(tableOf(copied))
    for (const failure of failures) terminal.writeError(`not read: ${failure}\n`)
    return failures.length > 0 ? 1 : 0
  } catch (error) {
    await sink?.discard()
    if (error instanceof ClusterError) throw new InputError(error.message)
    throw error
  } finally {
    client.close()
  }
}

async function copy(
  client: ClusterClient,
  resources: readonly ListedResource[],
  given: Given,
  terminal: Terminal,
  write: (text: string) => Promise<void>,
): Promise<{ copied: Copied[]; failures: string[] }> {
  const namespaces = (textOption(given, 'namespaces') ?? '')
    .split(',')
    .filter((name) => name !== '')
  const keepsValues = given.options.secrets === true
  const copied: Copied[] = []
  const failures: string[] = []
  let separator = ''
  for (const resource of resources) {
    const row: Copied = { resource: titleOf(resource), objects: 0, bytes: 0 }
    try {
      for await (const page of objectsOf(client, resource, namespaces)) {
        for (const object of page.filter((one) => isWanted(one, namespaces))) {
          const text = textOf(object, keepsValues)
          await write(separator + text)
          separator = '---\n'
          row.objects++
          row.bytes += Buffer.byteLength(text)
        }
        if (row.objects > 0) terminal.writeError(`  ${row.resource}: ${row.objects}\n`)
      }
    } catch (error) {
      // A user who may not read everything gets the rest.
      if (!(error instanceof ClusterError)) throw error
      failures.push(error.message)
    }
    if (row.objects > 0) copied.push(row)
  }
  return { copied, failures }
}

const titleOf = ({ groupVersion, name }: ListedResource): string =>
  groupVersion.includes('/') ? `${name}.${groupVersion.split('/')[0]}` : name

/** Of the Namespaces themselves only those that are copied. */
function isWanted({ kind, apiVersion, metadata }: KubeObject, namespaces: readonly string[]) {
  const isNamespace = kind === 'Namespace' && apiVersion === 'v1'
  return !isNamespace || namespaces.length === 0 || namespaces.includes(metadata.name ?? '')
}

function textOf(object: KubeObject, keepsValues: boolean): string {
  const kept = isSecret(object) && !keepsValues ? withoutValues(object) : object
  return toYaml(kept as unknown as JsonObject)
}

interface Sink {
  write(text: string): Promise<void>
  close(): Promise<void>
  /** Removes the file: half a cluster would look like a whole one. */
  discard(): Promise<void>
}

/** @throws InputError if the file exists: a copy of a cluster is not overwritten by accident */
async function opened(file: string): Promise<Sink> {
  const stream = createWriteStream(file, { flags: 'wx', mode: 0o600 })
  await new Promise<void>((resolve, reject) => {
    stream.once('open', () => resolve())
    stream.once('error', ({ message }) =>
      reject(new InputError(`cannot write ${file}: ${message}`)),
    )
  })
  return {
    async write(text) {
      if (!stream.write(text))
        await new Promise<void>((resolve) => stream.once('drain', () => resolve()))
    },
    async close() {
      stream.end()
      await finished(stream)
    },
    async discard() {
      stream.destroy()
      rmSync(file, { force: true })
    },
  }
}

function tableOf(copied: readonly Copied[]): string {
  const objects = copied.reduce((sum, row) => sum + row.objects, 0)
  const bytes = copied.reduce((sum, row) => sum + row.bytes, 0)
  const rows = [...copied, { resource: 'total', objects, bytes }].map(
    (row) => [row.resource, String(row.objects), sizeText(row.bytes)] as const,
  )
  const header = ['RESOURCE', 'OBJECTS', 'SIZE'] as const
  const width = Math.max(...[header, ...rows].map(([name]) => name.length)) + 3
  return [header, ...rows]
    .map(([name, count, size]) => `${name.padEnd(width)}${count.padEnd(10)}${size}\n`)
    .join('')
}

function sizeText(bytes: number): string {
  return bytes < 1024
    ? `${bytes} B`
    : bytes < 1 << 20
      ? `${(bytes / 1024).toFixed(1)} KiB`
      : `${(bytes / (1 << 20)).toFixed(1)} MiB`
}
