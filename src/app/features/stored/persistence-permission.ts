/** Some browsers report neither persistence nor quota. */

export interface StorageEstimate {
  /** undefined if unknown. */
  persisted: boolean | undefined
  /** Bytes; undefined: unknown. */
  used: number | undefined
  quota: number | undefined
}

/** Absent outside secure contexts and in old browsers. */
const manager = (): Partial<StorageManager> | undefined =>
  (navigator as { storage?: Partial<StorageManager> }).storage

export async function storageEstimate(): Promise<StorageEstimate> {
  const storage = manager()
  const unknown = () => undefined
  const [persisted, estimate] = await Promise.all([
    storage?.persisted?.().catch(unknown),
    storage?.estimate?.().catch(unknown),
  ])
  return { persisted, used: estimate?.usage, quota: estimate?.quota }
}

export const canRequestPersistence = (): boolean => typeof manager()?.persist === 'function'

/** Some browsers prompt the user. @returns whether it was granted */
export async function requestPersistence(): Promise<boolean> {
  return (await manager()?.persist?.()) ?? false
}
