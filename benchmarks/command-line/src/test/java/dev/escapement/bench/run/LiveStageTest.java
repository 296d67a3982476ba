package dev.escapement.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
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

/** The page of a run. */
class LiveStageTest {

    private static final int MAX_SECONDS = 30;

    @Test
    void shouldOfferToGoBackWhereTheRunKeepsItsPast() throws Exception {
        assertThat(hello(StateHistory.ofTicks(10))).contains("\"controls\":true", "\"rewinds\":true");
        assertThat(hello(null)).contains("\"controls\":true", "\"rewinds\":false");
    }

    /** The first message of the page. */
    private static String hello(@Nullable StateHistory history) throws Exception {
        PhysicsServiceBuilder builder = PhysicsService.builder(new SpringSimulation(3));
        if (history != null) {
            builder.with(history);
        }
        List<String> said = new ArrayList<>();
        Hello hello = new Hello();
        try (PhysicsService physics = builder.start();
                Stage stage = new Stage.Live("Springs", 0, TickRate.hertz(60), said::add);
                RenderLoop loop = stage.startDrawing(
                        Stage.Drawn.of(physics, history), FrameView.of(physics.newReader()), new FrameListener() {})) {
            URI page = URI.create(said.get(0));
            WebSocket socket = HttpClient.newHttpClient()
                    .newWebSocketBuilder()
                    .header("Origin", "http://" + page.getAuthority())
                    .buildAsync(URI.create(page.resolve("live").toString().replace("http:", "ws:")), hello)
                    .get(MAX_SECONDS, TimeUnit.SECONDS);
            String text = hello.text.get(MAX_SECONDS, TimeUnit.SECONDS);
            socket.abort();
            assertThat(loop.failure()).isEmpty();
            return text;
        }
    }

    private static final class Hello implements WebSocket.Listener {

        final CompletableFuture<String> text = new CompletableFuture<>();
        private final StringBuilder parts = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
            parts.append(part);
            if (last) {
                text.complete(parts.toString());
            }
            socket.request(1);
            return null;
        }
    }
}
