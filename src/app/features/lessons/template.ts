export { default as TEMPLATE } from './template.yaml?raw'
