// A stand-in for a language model: an OpenAI-compatible endpoint that repeats the instruction, word by word.
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';

createServer(async (req, res) => {
  const { messages } = JSON.parse((await req.toArray()).join(''));
  const words = `You asked: ${messages.at(-1).content.split('\n').at(-1)}`.split(' ');
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (choice) =>
    res.write(
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'stand-in', choices: [{ index: 0, ...choice }] })}\n\n`,
    );
  for (const word of words) {
    send({ delta: { content: `${word} ` } });
    await setTimeout(60);
  }
  send({ delta: {}, finish_reason: 'stop' });
  res.end('data: [DONE]\n\n');
}).listen(8000);
