/** `kubectl certificate` */

import type { JsonObject } from '../../engine/core/object'
import { Failures } from '../acting/failures'
import { FIELDS_FLAG, LABELS_FLAG, RECURSIVE_FLAG } from '../acting/flags'
import { filedObjects } from '../acting/objects'
import { Results } from '../acting/results'
import { retryOnConflict } from '../acting/retry-on-conflict'
import type { Command } from '../command'
import { pathOf } from '../discovery'
import { CommandError } from '../errors'
import { OUTPUT_FLAGS } from '../output/printer'
import { FILE_FLAGS } from './common-flags'

/** Maximum attempts after conflicts. */
const TRIES = 11

interface Condition {
  type: string
  status: string
  reason: string
  message: string
  lastUpdateTime: string | null
}

interface Decision {
  name: 'approve' | 'deny'
  type: 'Approved' | 'Denied'
  opposite: 'Approved' | 'Denied'
  done: string
  reason: string
  message: string
  summary: string
}

const DECISIONS: Decision[] = [
  {
    name: 'approve',
    type: 'Approved',
    opposite: 'Denied',
    done: 'approved',
    reason: 'KubectlApprove',
    message: 'This CSR was approved by kubectl certificate approve.',
    summary: 'Approve a certificate signing request',
  },
  {
    name: 'deny',
    type: 'Denied',
    opposite: 'Approved',
    done: 'denied',
    reason: 'KubectlDeny',
    message: 'This CSR was denied by kubectl certificate deny.',
    summary: 'Deny a certificate signing request',
  },
]

const decide = ({ name, type, opposite, done, reason, message, summary }: Decision): Command => ({
  name,
  summary,
  usage: `certificate ${name} (-f FILENAME | NAME)`,
  examples: [{ line: `kubectl certificate ${name} csr-anna`, about: summary }],
  flags: [
    ...FILE_FLAGS,
    ...OUTPUT_FLAGS,
    LABELS_FLAG,
    FIELDS_FLAG,
    RECURSIVE_FLAG,
    {
      name: 'force',
      type: 'on',
      about: 'Update the CSR even if it is already approved or denied.',
    },
  ],
  async run(context, { args, flags }) {
    const failures = new Failures()
    const names = [...args]
    for await (const { name: filed } of filedObjects(context, flags.list('filename'), failures))
      names.push(filed)
    if (names.length === 0 && flags.text('filename') === '')
      throw new CommandError('one or more CSRs must be specified as <name> or -f <filename>')
    const results = new Results(context, flags)
    const resource = await context.discovery.find('certificatesigningrequests.certificates.k8s.io')
    for (const request of names) {
      await failures.during(async () => {
        const decided = async (): Promise<JsonObject> => {
          const object = await context.client.get(pathOf(resource, undefined, request))
          const { conditions = [] } = (object.status ?? {}) as { conditions?: Condition[] }
          const has = (wanted: string): boolean =>
            conditions.some((condition) => condition.type === wanted)
          if (has(opposite))
            throw new CommandError(
              `certificate signing request ${JSON.stringify(request)} is already ${opposite}`,
            )
          if (has(type) && !flags.on('force')) return object
          const others = conditions.filter((condition) => condition.type !== type)
          const decision: Condition = {
            type,
            status: 'True',
            reason,
            message,
            lastUpdateTime: new Date(context.clock.now()).toISOString().replace(/\.\d+/, ''),
          }
          const status = {
            ...((object.status ?? {}) as JsonObject),
            conditions: [...others, decision] as unknown as JsonObject[],
          }
          const path = `${pathOf(resource, undefined, request, 'approval')}?fieldManager=kubectl`
          return (await context.client.send({ method: 'PUT', path, body: { ...object, status } }))
            .json
        }
        results.print(await retryOnConflict(decided, (tries) => tries < TRIES), done)
      })
    }
    failures.throwIfAny()
    return 0
  },
})

export const CERTIFICATE: Command = {
  name: 'certificate',
  summary: 'Modify certificate resources',
  usage: 'certificate SUBCOMMAND',
  examples: [],
  flags: [],
  commands: DECISIONS.map(decide),
}
