/** Made by scripts/vite-handler-frame.ts of frame-script.ts. */
declare module 'virtual:handler-frame' {
  const text: string
  export default text
}
