/** `kubectl auth whoami` */
import { entryOf } from '../../../engine/core/object'
import { Results } from '../../acting/results'
import type { Command } from '../../command'
import { Columns } from '../../output/columns'
import { OUTPUT_FLAGS } from '../../output/printer'

interface UserInfo {
  username?: string
  uid?: string
  groups?: string[]
  extra?: Record<string, string[]>
}

export const WHO_AM_I: Command = {
  name: 'whoami',
  summary: 'Experimental: Check self subject attributes',
  usage: 'auth whoami',
  examples: [{ line: 'kubectl auth whoami', about: 'Get your subject attributes' }],
  flags: [...OUTPUT_FLAGS],
  async run(context, { flags }) {
    const body = {
      kind: 'SelfSubjectReview',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { creationTimestamp: null },
      status: { userInfo: {} },
    }
    const { json } = await context.client.send({
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      body,
    })
    if (flags.text('output') !== '') {
      new Results(context, flags, 'none', true).print(json, '')
      return 0
    }
    const { userInfo = {} } = json.status as { userInfo?: UserInfo }
    const { username, uid, groups, extra = {} } = userInfo
    const rows: string[][] = [['ATTRIBUTE', 'VALUE']]
    if (username) rows.push(['Username', username])
    if (uid) rows.push(['UID', uid])
    if (groups?.length) rows.push(['Groups', `[${groups.join(' ')}]`])
    for (const key of Object.keys(extra).sort())
      rows.push([`Extra: ${key}`, `[${(entryOf(extra, key) ?? []).join(' ')}]`])
    context.out(new Columns().lines(rows))
    return 0
  },
}
