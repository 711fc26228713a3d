/** A TCP connection that sends raw bytes and collects the received ones. */
import { connect, type Socket } from 'node:net'

export async function client(port: number): Promise<Socket & { output: string }> {
  const socket = Object.assign(connect(port, '127.0.0.1'), { output: '' })
  socket.on('data', (chunk) => {
    socket.output += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('connect', resolve))
  return socket
}
