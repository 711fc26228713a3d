import { isJsonObject, type JsonObject } from '../../../engine/core/object'
import { pathOf } from '../../discovery'
import { CommandError } from '../../errors'
import { type Generator, type Making, newMetadata } from './generator'

/** `registry.example.com/a/nginx:1.27@sha256:…` -> `nginx` */
function nameOfImage(image: string): string {
  const last = image.split('/').at(-1) ?? ''
  const name = last.split(':')[0]?.split('@')[0] ?? ''
  return name.replaceAll('_', '-').replace(/^[^A-Za-z0-9]+/, '')
}

/** As its type prints it, always with resources. */
const container = (
  name: string,
  image: string,
  command: readonly string[],
  more: JsonObject = {},
): JsonObject => ({
  name,
  image,
  ...(command.length === 0 ? {} : { command: [...command] }),
  ...more,
  resources: {},
})

const deployment: Generator = {
  name: 'deployment',
  called: 'deployment:',
  aliases: ['deploy'],
  summary: 'Create a deployment with the specified name',
  usage: 'deployment NAME --image=image -- [COMMAND] [args...]',
  example: 'create deployment web --image=nginx --replicas=3',
  resource: 'deployments.apps',
  namespaced: true,
  takesCommand: true,
  required: ['image'],
  flags: [
    {
      name: 'image',
      type: 'list',
      about:
        'Image names to run. A deployment can have multiple images set for multi-container pod.',
    },
    {
      name: 'port',
      type: 'number',
      default: '-1',
      about: 'The containerPort that this deployment exposes.',
    },
    {
      name: 'replicas',
      short: 'r',
      type: 'number',
      default: '1',
      about: 'Number of replicas to create.',
    },
  ],
  build(made) {
    const { flags } = made.invocation
    const images = flags.list('image')
    if (made.command.length > 0 && images.length > 1)
      throw new CommandError('cannot specify multiple --image options and command')
    const port = flags.number('port')
    const ports: JsonObject = port > 0 ? { ports: [{ containerPort: port }] } : {}
    const labels = { app: made.name }
    const names = uniqueNames(images.map(nameOfImage))
    return {
      kind: 'Deployment',
      apiVersion: 'apps/v1',
      metadata: newMetadata(made.name, { labels }),
      spec: {
        replicas: flags.number('replicas'),
        selector: { matchLabels: labels },
        template: {
          metadata: { creationTimestamp: null, labels },
          spec: {
            containers: images.map((image, index) =>
              container(names[index] ?? '', image, made.command, ports),
            ),
          },
        },
        strategy: {},
      },
      status: {},
    }
  },
}

/** Repeated names get a number. */
function uniqueNames(names: string[]): string[] {
  return names.map((name, index) => (names.indexOf(name) === index ? name : `${name}-${index}`))
}

const podOf = (made: Making, restartPolicy: string): JsonObject => ({
  metadata: { creationTimestamp: null },
  spec: {
    containers: [container(made.name, made.invocation.flags.text('image'), made.command)],
    restartPolicy,
  },
})

const job: Generator = {
  name: 'job',
  called: 'job:',
  summary: 'Create a job with the specified name',
  usage: 'job NAME --image=image [--from=cronjob/name] -- [COMMAND] [args...]',
  example: 'create job once --image=busybox -- date',
  resource: 'jobs.batch',
  namespaced: true,
  takesCommand: true,
  flags: [
    { name: 'image', type: 'text', about: 'Image name to run.' },
    {
      name: 'from',
      type: 'text',
      about: 'The name of the resource to create a Job from (only cronjob is supported).',
    },
  ],
  async build(made) {
    const { flags } = made.invocation
    const [image, from] = [flags.text('image'), flags.text('from')]
    if ((image === '') === (from === ''))
      throw new CommandError('either --image or --from must be specified')
    if (made.command.length > 0 && from !== '')
      throw new CommandError('cannot specify --from and command')
    const head = { kind: 'Job', apiVersion: 'batch/v1' }
    if (from === '')
      return {
        ...head,
        metadata: newMetadata(made.name),
        spec: { template: podOf(made, 'Never') },
        status: {},
      }
    return { ...head, ...(await fromCronJob(made, from)), status: {} }
  },
}

async function fromCronJob({ name, context }: Making, from: string): Promise<JsonObject> {
  const [type = '', cronJobName] = from.split('/')
  if (cronJobName === undefined)
    throw new CommandError('resource(s) were provided, but no name was specified')
  const resource = await context.discovery.find(type)
  const cronJob = await context.client.get(pathOf(resource, context.namespace, cronJobName))
  if (resource.kind !== 'CronJob') throw new CommandError('from must be an existing cronjob')
  const { jobTemplate } = (isJsonObject(cronJob.spec) ? cronJob.spec : {}) as {
    jobTemplate?: { metadata?: JsonObject; spec?: JsonObject }
  }
  const { labels, annotations } = jobTemplate?.metadata ?? {}
  const { name: ownerName, uid } = cronJob.metadata as { name: string; uid: string }
  return {
    metadata: newMetadata(name, {
      ...(labels === undefined ? {} : { labels }),
      annotations: {
        ...(isJsonObject(annotations) ? annotations : {}),
        'cronjob.kubernetes.io/instantiate': 'manual',
      },
      ownerReferences: [
        { apiVersion: 'batch/v1', kind: 'CronJob', name: ownerName, uid, controller: true },
      ],
    }),
    spec: jobTemplate?.spec ?? {},
  }
}

const cronJob: Generator = {
  name: 'cronjob',
  called: 'cronjob:',
  aliases: ['cj'],
  summary: 'Create a cron job with the specified name',
  usage: "cronjob NAME --image=image --schedule='0/5 * * * ?' -- [COMMAND] [args...] [flags]",
  example: 'create cronjob tick --image=busybox --schedule="*/1 * * * *" -- date',
  resource: 'cronjobs.batch',
  namespaced: true,
  takesCommand: true,
  required: ['image', 'schedule'],
  flags: [
    { name: 'image', type: 'text', about: 'Image name to run.' },
    {
      name: 'schedule',
      type: 'text',
      about: 'A schedule in the Cron format the job should be run with.',
    },
    {
      name: 'restart',
      type: 'text',
      values: ['OnFailure', 'Never'],
      about: "Job's restart policy. Supported values: OnFailure, Never.",
    },
  ],
  build(made) {
    const { flags } = made.invocation
    return {
      kind: 'CronJob',
      apiVersion: 'batch/v1',
      metadata: newMetadata(made.name),
      spec: {
        schedule: flags.text('schedule'),
        jobTemplate: {
          metadata: newMetadata(made.name),
          spec: { template: podOf(made, flags.text('restart') || 'OnFailure') },
        },
      },
      status: {},
    }
  },
}

export const WORKLOADS: readonly Generator[] = [deployment, job, cronJob]
