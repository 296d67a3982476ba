package dev.escapement.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderLoop;
import dev.escapement.state.time.TickRate;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The page of a running job. */
class LiveStageTest {

    private static final int MAX_SECONDS = 30;

    @Test
    void shouldOfferRewindsIfTheRunKeepsItsPast() throws Exception {
        StateHistory history = StateHistory.ofTicks(10);
        List<String> said = new ArrayList<>();
        CompletableFuture<String> hello = new CompletableFuture<>();
        try (PhysicsService physics = PhysicsService.builder(new SpringSimulation(3))
                        .with(history)
                        .start();
                Stage stage = new Stage.Live("Springs", 0, TickRate.hertz(60), said::add);
                RenderLoop loop = stage.startDrawing(
                        Stage.Drawn.of(physics, history), FrameView.of(physics.newReader()), new FrameListener() {})) {
            URI page = URI.create(said.get(0));
            WebSocket socket = HttpClient.newHttpClient()
                    .newWebSocketBuilder()
                    .header("Origin", "http://" + page.getAuthority())
                    .buildAsync(URI.create(page.resolve("live").toString().replace("http:", "ws:")), first(hello))
                    .get(MAX_SECONDS, TimeUnit.SECONDS);
            assertThat(hello.get(MAX_SECONDS, TimeUnit.SECONDS)).contains("\"controls\":true", "\"rewinds\":true");
            socket.abort();
            assertThat(loop.failure()).isEmpty();
        }
    }

    /** Takes the first message of the page, which is in one part. */
    private static WebSocket.Listener first(CompletableFuture<String> message) {
        return new WebSocket.Listener() {
            @Override
            public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
                message.complete(text.toString());
                return null;
            }
        };
    }
}
