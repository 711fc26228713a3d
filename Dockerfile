# The headless server as a container. Build the package first: npm ci && npm run package
#
#   docker build -t kubetab .
#   docker run --rm -p 127.0.0.1:6443:6443 -v ./tokens.csv:/etc/kubetab/tokens.csv:ro kubetab
#
# Inside a container the loopback interface is the container's own, so it listens on all addresses there, over HTTPS and only with the
# tokens that you give it (lines of token,user,uid,"group"); -p 127.0.0.1:… keeps it on your machine.
FROM node:22-alpine
WORKDIR /opt/kubetab
COPY dist/package/ ./
USER node
EXPOSE 6443
ENTRYPOINT ["node", "--max-semi-space-size=8", "--v8-pool-size=1", "/opt/kubetab/bin/kubetab.js"]
CMD ["--port=-1", "--secure-port=6443", "--bind-address=0.0.0.0", "--token-auth-file=/etc/kubetab/tokens.csv"]
