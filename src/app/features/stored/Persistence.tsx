import { useEffect, useState } from 'react'
import { Icon } from '../../components/Icon'
import { useConnection } from '../../state/connection'
import {
  canRequestPersistence,
  requestPersistence,
  type StorageEstimate,
  storageEstimate,
} from './persistence-permission'
import { PERSISTENCE } from './texts'

export function Persistence({ looks }: { looks: number }) {
  const [estimate, setEstimate] = useState<StorageEstimate>()
  const [denied, setDenied] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when `looks` changes
  useEffect(() => void storageEstimate().then(setEstimate), [looks])
  const inPage = useConnection(({ connection }) => connection?.mode === 'page')
  if (estimate === undefined) return null
  const { persisted, used, quota } = estimate
  const { title, about } = statusTexts(persisted)
  const request = async () => {
    const agreed = await requestPersistence()
    setDenied(!agreed)
    setEstimate(await storageEstimate())
  }
  return (
    <section className="stored-promise" aria-label={PERSISTENCE.title}>
      <Icon name={persisted ? 'check' : 'warning'} size={16} />
      <div className="stored-words">
        <strong>{title}</strong>
        <span className="soft">{about}</span>
        {inPage && <span className="soft">{PERSISTENCE.inPage}</span>}
        {denied && <span role="status">{PERSISTENCE.declined}</span>}
        <span className="soft">{sizeOf(used, quota)}</span>
      </div>
      {persisted === false && canRequestPersistence() && (
        <button type="button" className="button small" onClick={() => void request()}>
          {PERSISTENCE.request}
        </button>
      )}
    </section>
  )
}

interface StatusTexts {
  title: string
  about: string
}

function statusTexts(persisted: boolean | undefined): StatusTexts {
  if (persisted === undefined)
    return {
      title: PERSISTENCE.unknown,
      about: PERSISTENCE.unknownAbout,
    }
  return persisted
    ? {
        title: PERSISTENCE.persistent,
        about: PERSISTENCE.persistentAbout,
      }
    : {
        title: PERSISTENCE.temporary,
        about: PERSISTENCE.temporaryAbout,
      }
}

function sizeOf(used: number | undefined, quota: number | undefined): string {
  if (used === undefined || quota === undefined) return PERSISTENCE.sizeUnknown
  return PERSISTENCE.size(used, quota)
}
