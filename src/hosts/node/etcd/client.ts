/** A client of one etcd cluster; after a failure, calls go to the next URL. */
import { CallError, Code, Connection, type Credentials, type StreamSink } from './connection'
import {
  decodeRange,
  decodeTxn,
  decodeWatch,
  encodeCompaction,
  encodeRange,
  encodeTxn,
  encodeWatch,
  type RangeRequest,
  type RangeResponse,
  type TxnRequest,
  type TxnResponse,
  type WatchResponse,
} from './wire'

/** Timeout of a call, and default retry time of reads. */
const CALL_MILLISECONDS = 10_000
const FIRST_PAUSE = 20
const LONGEST_PAUSE = 500

export interface WatchSink {
  response(response: WatchResponse): void
  end(error: CallError): void
}

export class EtcdClient {
  private readonly connections: Connection[]
  private current = 0

  /**
   * @param urls such as `http://127.0.0.1:2379`
   * @throws TypeError for an invalid URL
   */
  constructor(urls: readonly string[], credentials: Credentials = {}) {
    this.connections = urls.map((url) => new Connection(new URL(url).origin, credentials))
    if (this.connections.length === 0) throw new TypeError('no URL of an etcd server is given')
  }

  /**
   * A linearizable range with retries. @param patience milliseconds of retries, also on other
   * servers
   * @throws CallError
   */
  async range(request: RangeRequest, patience = CALL_MILLISECONDS): Promise<RangeResponse> {
    return decodeRange(
      await this.persistently('/etcdserverpb.KV/Range', encodeRange(request), patience),
    )
  }

  /** Sent once, because a failed call may have been committed. @throws CallError */
  async transaction(request: TxnRequest, milliseconds = CALL_MILLISECONDS): Promise<TxnResponse> {
    return decodeTxn(await this.once('/etcdserverpb.KV/Txn', encodeTxn(request), milliseconds))
  }

  /** @throws CallError */
  async compact(revision: number): Promise<void> {
    await this.once('/etcdserverpb.KV/Compact', encodeCompaction(revision), CALL_MILLISECONDS)
  }

  /**
   * @param from the first revision to watch
   * @returns cancels the watch
   */
  watch(key: string, end: string, from: number, sink: WatchSink): () => void {
    const streamSink: StreamSink = {
      message: (bytes) => sink.response(decodeWatch(bytes)),
      end: (error) => {
        this.next(connection)
        sink.end(error)
      },
    }
    const connection = this.connection()
    return connection.stream('/etcdserverpb.Watch/Watch', encodeWatch(key, end, from), streamSink)
  }

  close(): void {
    for (const connection of this.connections) connection.disconnect()
  }

  private connection(): Connection {
    return this.connections[this.current % this.connections.length] as Connection
  }

  /** Selects the next server, unless another call has. */
  private next(from: Connection): void {
    if (this.connection() === from) this.current = (this.current + 1) % this.connections.length
  }

  private async once(
    method: string,
    request: Uint8Array,
    milliseconds: number,
  ): Promise<Uint8Array> {
    const connection = this.connection()
    try {
      return await connection.call(method, request, milliseconds)
    } catch (error) {
      if (error instanceof CallError && error.code === Code.unavailable) this.next(connection)
      throw error
    }
  }

  private async persistently(
    method: string,
    request: Uint8Array,
    patience: number,
  ): Promise<Uint8Array> {
    const deadline = performance.now() + patience
    for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      const left = deadline - performance.now()
      try {
        return await this.once(method, request, Math.max(1, Math.min(left, CALL_MILLISECONDS)))
      } catch (error) {
        const lasting = error instanceof CallError && error.code === Code.unavailable
        if (!lasting || performance.now() + pause > deadline) throw error
        await new Promise((resolve) => setTimeout(resolve, pause))
      }
    }
  }
}
