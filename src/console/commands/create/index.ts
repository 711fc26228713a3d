import { isJsonObject } from '../../../engine/core/object'
import { matchesLabels, parseLabelSelector } from '../../../engine/selectors/labels'
import { Failures } from '../../acting/failures'
import {
  DRY_RUN_FLAG,
  dryRunOf,
  fieldManagerFlag,
  LABELS_FLAG,
  RECURSIVE_FLAG,
  SAVE_CONFIG_FLAG,
  VALIDATE_FLAG,
  writeQuery,
} from '../../acting/flags'
import { filedObjects } from '../../acting/objects'
import { Results } from '../../acting/results'
import { pathWith } from '../../client'
import type { Command, Context, FlagValues } from '../../command'
import { pathOf } from '../../discovery'
import { CommandError, StatusError } from '../../errors'
import { CREATE_MANAGER } from '../../managers'
import { OUTPUT_FLAGS } from '../../output/printer'
import { withLastApplied } from '../../three-way'
import { FILE_FLAGS } from '../common-flags'
import { GENERATORS } from './generators'
import { TOKEN } from './token'

export const CREATE: Command = {
  name: 'create',
  summary: 'Create a resource from a file or from stdin',
  usage: 'create -f FILENAME',
  examples: [
    { line: 'kubectl create -f web.yaml', about: 'Create the resources of an open file' },
    {
      line: 'kubectl create deployment web --image=nginx --replicas=3',
      about: 'Create a deployment named web with three replicas',
    },
    {
      line: 'kubectl create configmap settings --from-literal=color=blue --dry-run=client -o yaml',
      about: 'Print the manifest of a config map without creating it',
    },
  ],
  flags: [
    ...FILE_FLAGS,
    DRY_RUN_FLAG,
    fieldManagerFlag(CREATE_MANAGER),
    ...OUTPUT_FLAGS,
    SAVE_CONFIG_FLAG,
    VALIDATE_FLAG,
    LABELS_FLAG,
    RECURSIVE_FLAG,
    { name: 'edit', type: 'on', unavailable: 'open the manifest in the editor' },
    { name: 'raw', type: 'text', unavailable: 'use kubectl get --raw or a script' },
  ],
  commands: [...GENERATORS, TOKEN],
  async run(context, { args, flags }) {
    if (args.length > 0)
      throw new CommandError(
        `Unexpected args: [${args.join(' ')}]\nSee 'kubectl create -h' for help and examples`,
      )
    if (!flags.has('filename')) throw new CommandError('must specify one of -f and -k')
    await createFiles(context, flags)
    return 0
  },
}

async function createFiles(context: Context, flags: FlagValues): Promise<void> {
  const dryRun = dryRunOf(flags, context)
  const results = new Results(context, flags, dryRun)
  const failures = new Failures()
  const selector = parseLabelSelector(flags.text('selector'))
  let count = 0
  for await (const { resource, namespace, object, source } of filedObjects(
    context,
    flags.list('filename'),
    failures,
    {
      validate: flags.text('validate'),
    },
  )) {
    const { labels } = isJsonObject(object.metadata) ? object.metadata : {}
    if (!matchesLabels(selector, isJsonObject(labels) ? (labels as Record<string, string>) : {}))
      continue
    count++
    const sent = flags.on('save-config') ? withLastApplied(object) : object
    if (dryRun === 'client') {
      results.print(sent, 'created')
      continue
    }
    await failures.during(async () => {
      const path = pathWith(pathOf(resource, namespace), writeQuery(flags, dryRun))
      const { json } = await context.client
        .send({ method: 'POST', path, body: sent })
        .catch((error: unknown) => {
          throw error instanceof StatusError
            ? error.during(`error when creating ${JSON.stringify(source)}`)
            : error
        })
      results.print(json, 'created')
    })
  }
  failures.throwIfAny()
  if (count === 0) throw new CommandError('no objects passed to create')
}
