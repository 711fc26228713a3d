import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { bridge } from './scripts/vite-bridge.ts'
import { contentSecurity } from './scripts/vite-content-policy.ts'
import { handlerFrame } from './scripts/vite-handler-frame.ts'
import { lessons } from './scripts/vite-lessons.ts'
import { serviceWorker } from './scripts/vite-service-worker.ts'

export default defineConfig({
  // Relative, so that the built page runs under any path of any host.
  base: './',
  plugins: [react(), handlerFrame(), lessons(), contentSecurity(), serviceWorker(), bridge()],
  // Pages of other origins may read nothing of it, those of other ports of this machine among them.
  server: { host: '127.0.0.1', cors: false },
  preview: { host: '127.0.0.1', cors: false },
  build: {
    target: 'es2022',
    chunkSizeWarningLimit: 4000,
    // Texts are constants of their own modules: inlined, they cost no names.
    rolldownOptions: { optimization: { inlineConst: { mode: 'all', pass: 1 } } },
  },
})
