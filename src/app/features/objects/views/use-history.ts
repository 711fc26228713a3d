import { useEffect, useState } from 'react'
import type { AuditEvent, StoredState } from '../../../../hosts/shared/channel'
import { useConnection } from '../../../state/connection'
import type { SelectedObject } from '../../../state/view'

interface Read {
  states: StoredState[] | undefined
  audit: AuditEvent[]
  compacted: number
  failure: string | undefined
}

const UNREAD: Read = { states: undefined, audit: [], compacted: 0, failure: undefined }

/** @param version resourceVersion; a new one reads the history again */
export function useHistory({ resource, namespace, name }: SelectedObject, version: string): Read {
  const channel = useConnection((state) => state.connection?.channel)
  const [read, setRead] = useState<Read>(UNREAD)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is the reason to read again
  useEffect(() => {
    if (channel === undefined) return
    let current = true
    const address = { group: resource.group, resource: resource.resource, namespace, name }
    Promise.all([
      channel.request('history', address),
      channel.request('status', undefined),
      channel.request('audit', undefined),
    ]).then(
      ([states, { compactRevision }, { items }]) =>
        current &&
        setRead({ states, audit: items, compacted: compactRevision, failure: undefined }),
      (error: unknown) =>
        current &&
        setRead({ ...UNREAD, failure: error instanceof Error ? error.message : String(error) }),
    )
    return () => {
      current = false
    }
  }, [channel, resource, namespace, name, version])
  return read
}
