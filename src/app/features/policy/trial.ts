/** Tries requests in a copy of the cluster. */
import type { PolicyFinding } from '../../../hosts/shared/channel'
import type { TrialRequest, TrialResponse } from '../../../hosts/shared/trial'
import { warningsOf } from '../../../hosts/shared/warning-header'
import { useActors } from '../../state/actors'
import { useConnection } from '../../state/connection'
import { credentialHeaders } from '../../state/credentials'

export interface Tried {
  status: number
  ok: boolean
  text: string
  json: unknown
  warnings: string[]
  policies: PolicyFinding[]
}

/** @param actor defaults to the selected user @throws Error if the server cannot run them */
export async function tryRequests(
  requests: readonly TrialRequest[],
  actor = useActors.getState().actor,
): Promise<Tried[]> {
  const { connection } = useConnection.getState()
  if (!connection) throw new Error('there is no server yet')
  const sent = requests.map((request) => ({ ...request, credential: credentialHeaders(actor) }))
  return (await connection.channel.request('trial', { requests: sent })).map(read)
}

function read({ status, text, warning, policies }: TrialResponse): Tried {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    json = undefined
  }
  return { status, ok: status < 300, text, json, warnings: warningsOf(warning), policies }
}
