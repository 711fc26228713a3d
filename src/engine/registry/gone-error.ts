/**
 * The 410 Gone of a list or watch at a compacted revision (`NewResourceExpired` of apimachinery).
 * Stores report such a revision with `CompactedError` (storage/compacted-error.ts).
 */
import { type ApiError, failure } from '../http/status'

export const resourceExpired = (message: string): ApiError => failure(410, 'Expired', message)
