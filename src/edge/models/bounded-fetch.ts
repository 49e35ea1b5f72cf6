/** More than any valid answer; a server that sends more is broken. */
const responseBytesMax = 4_000_000;

/** The platform's fetch, with a bound on the response size. */
export const boundedFetch: typeof globalThis.fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.body === null) return response;
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > responseBytesMax)
          controller.error(new Error(`the model sent more than ${responseBytesMax} bytes`));
        else controller.enqueue(chunk);
      },
    }),
  );
  return new Response(counted, response);
};
