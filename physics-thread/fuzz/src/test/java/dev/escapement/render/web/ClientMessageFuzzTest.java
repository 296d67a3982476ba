package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/** Fuzzes a browser's messages to a live page: any text is a message with values in their ranges, or is refused as documented. */
class ClientMessageFuzzTest {

    @FuzzTest(maxDuration = "10s")
    void shouldReadOrRefuseAnyText(byte[] bytes) {
        ClientMessage message;
        try {
            message = ClientMessage.parse(new String(bytes, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException refused) {
            return;
        }
        if (message instanceof ClientMessage.Scale scale) {
            assertThat(scale.value()).isPositive().isLessThanOrEqualTo(ClientMessage.MAX_SCALE);
        } else if (message instanceof ClientMessage.DragTo to) {
            assertThat(Math.abs(to.x())).isLessThanOrEqualTo((float) ClientMessage.MAX_METRES);
        } else if (message instanceof ClientMessage.Wheel wheel) {
            assertThat(Math.max(Math.abs(wheel.x()), Math.abs(wheel.y()))).isLessThanOrEqualTo(ClientMessage.MAX_STEPS);
        } else if (message instanceof ClientMessage.Past past) {
            assertThat(past.count()).isBetween(1, ClientMessage.MAX_PAST);
        }
    }
}
