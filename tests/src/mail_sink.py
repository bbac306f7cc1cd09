"""An SMTP server for tests, with STARTTLS and a password. It says each event as a line of JSON, the port first.

The local part of a recipient's address decides what happens: `never-…` is refused for good, `later-…` at the first attempt,
`gone-…` at all further ones, and at the first attempt to send to `stall-…` no answer comes.
"""

import asyncio
import email
import email.policy
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult


def say(**event):
    print(json.dumps(event), flush=True)


class Handler:
    def __init__(self):
        self.tried = set()

    def is_first(self, address):
        is_first = address not in self.tried
        self.tried.add(address)
        return is_first

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("never-"):
            say(event="refused", to=address)
            return f"550 5.1.1 <{address}>: no such person"
        if address.startswith("gone-") and not self.is_first(address):
            say(event="refused", to=address)
            return f"550 5.1.1 <{address}>: no such person any more"
        if address.startswith("later-") and self.is_first(address):
            say(event="delayed", to=address)
            return f"451 4.7.1 <{address}>: try again"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        [address] = envelope.rcpt_tos
        if address.startswith("stall-") and self.is_first(address):
            say(event="stalled", to=address)
            await asyncio.Event().wait()
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        say(
            event="mail",
            to=address,
            headers={name.lower(): str(value) for name, value in message.items()},
            text=message.get_content(),
            is_encrypted=session.ssl is not None,
        )
        return "250 OK"


def authenticate(server, session, envelope, mechanism, data):
    is_right = (data.login, data.password) == (b"towers", b"s3cret word")
    if not is_right:
        say(event="wrong password")
    return AuthResult(success=is_right)


async def main(certificate, key):
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    handler = Handler()

    def connection():
        return SMTP(
            handler,
            tls_context=context,
            require_starttls=True,
            authenticator=authenticate,
            auth_required=True,
        )

    server = await asyncio.get_running_loop().create_server(connection, "127.0.0.1", 0)
    say(port=server.sockets[0].getsockname()[1])
    await server.serve_forever()


asyncio.run(main(*sys.argv[1:]))
