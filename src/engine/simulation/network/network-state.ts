import type { FileSystem } from '../script/files'
import type { HttpRequest, HttpResponse } from './client'
import type { NetworkContainer, NetworkPod } from './cluster'

/** What connections leave behind, and what lies behind them. It lives as long as the server. */
export class NetworkState {
  /** Another state with the same selections. */
  copy(): NetworkState {
    const other = new NetworkState()
    for (const [key, turn] of this.turns) other.turns.set(key, turn)
    for (const [key, { ip, at }] of this.affinities) other.affinities.set(key, { ip, at })
    if (this.callApi) other.callApi = this.callApi
    return other
  }

  readonly turns = new Map<string, number>()
  readonly affinities = new Map<string, { ip: string; at: number }>()
  connections = 0
  /**
   * The files of a container as its program sees them now; absent where no kubelet runs.
   * @returns undefined if the container is unknown
   */
  filesOf?: (pod: NetworkPod, container: NetworkContainer) => FileSystem | undefined
  /** Keeps a line that a server logs. */
  log?: (pod: NetworkPod, container: string, at: number, text: string) => void
  /** What the program of a container keeps in memory; absent: nothing. */
  memoryOf?: (pod: NetworkPod, container: string) => Map<string, unknown>
  /** Sends a request of a program to the API server; absent: it cannot be reached. */
  callApi?: (request: HttpRequest) => Promise<HttpResponse | undefined>
}
