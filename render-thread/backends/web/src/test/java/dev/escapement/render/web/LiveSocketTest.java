package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connects pages over real connections to a world that ticks. */
@Timeout(120)
class LiveSocketTest {

    private final ServedPage served = new ServedPage();
    private final ServedPage.Page page = new ServedPage.Page();

    @AfterEach
    void close() {
        served.close();
    }

    private static int closeCode(ServedPage.Page of) throws Exception {
        return of.closed.get(ServedPage.MAX_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void shouldCloseWhatIsMalformedOrBinary() throws Exception {
        page.say(served.open(page), "{\"type\":\"pau", true);
        assertThat(closeCode(page)).isEqualTo(1008);
        ServedPage.Page binary = new ServedPage.Page();
        binary.acknowledges = false;
        served.open(binary).sendBinary(ByteBuffer.allocate(7), true).join();
        assertThat(closeCode(binary)).isEqualTo(1003);
    }

    @Test
    void shouldCloseWhatIsTooLong() throws Exception {
        page.say(served.open(page), " ".repeat(PageServer.MAX_MESSAGE_BYTES + 1), true);
        assertThat(closeCode(page)).isEqualTo(1009);
        ServedPage.Page inPieces = new ServedPage.Page();
        inPieces.acknowledges = false;
        WebSocket socket = served.open(inPieces);
        socket.sendText(" ".repeat(PageServer.MAX_MESSAGE_BYTES), false).join(); // unfinished: nothing can come between
        inPieces.say(socket, " ", true);
        assertThat(closeCode(inPieces)).isEqualTo(1009);
    }

    @Test
    void shouldServeEightAndLetOthersInWhenOneLeaves() throws Exception {
        List<WebSocket> sockets = new ArrayList<>();
        for (int i = 0; i < Sender.MAX_CLIENTS; i++) {
            ServedPage.Page one = new ServedPage.Page();
            sockets.add(served.open(one));
            one.await("hello");
        }
        assertThatThrownBy(() -> served.open(page))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        WebSocketHandshakeException.class,
                        refused ->
                                assertThat(refused.getResponse().statusCode()).isEqualTo(503));
        sockets.get(0).abort();
        boolean in = false;
        while (!in) {
            try {
                served.open(page);
                in = true;
            } catch (ExecutionException notYet) {
                Thread.onSpinWait();
            }
        }
        page.await("hello");
    }
}
