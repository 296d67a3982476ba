package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.state.snapshot.BodyId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientMessageTest {

    @Test
    void shouldParseWhatPagesSay() {
        assertThat(ClientMessage.parse("{\"type\":\"ack\",\"sequence\":4294967295}"))
                .isEqualTo(new ClientMessage.Ack(4294967295L));
        assertThat(ClientMessage.parse(" {\"count\":32,\"from\":0,\"type\":\"history\"} "))
                .isEqualTo(new ClientMessage.Past(0, 32));
        assertThat(ClientMessage.parse("{\"type\":\"rewind\",\"tick\":7}")).isEqualTo(new ClientMessage.Rewind(7));
        assertThat(ClientMessage.parse("{\"type\":\"drag\",\"slot\":5,\"generation\":-1}"))
                .isEqualTo(new ClientMessage.Drag(BodyId.of(5, -1)));
        assertThat(ClientMessage.parse("{\"type\":\"drag\",\"slot\":5,\"generation\":4294967295}"))
                .isEqualTo(new ClientMessage.Drag(BodyId.of(5, -1)));
        assertThat(ClientMessage.parse("{\"type\":\"dragTo\",\"x\":-1.5,\"y\":10000000.3,\"z\":0}"))
                .as("exactly, also far away")
                .isEqualTo(new ClientMessage.DragTo(-1.5, 10000000.3, 0));
        assertThat(ClientMessage.parse("{\"type\":\"wheel\",\"x\":-0.25,\"y\":1000}"))
                .isEqualTo(new ClientMessage.Wheel(-0.25, 1000));
        assertThat(ClientMessage.parse("{\"type\":\"worlds\",\"filter\":\"\"}"))
                .isEqualTo(new ClientMessage.Worlds(""));
        String longest = "\\u0001".repeat(WorldList.MAX_NAME); // the longest name in JSON: each character is escaped
        String open = "{\"type\":\"open\",\"world\":\"" + longest + "\"}";
        assertThat(ClientMessage.parse(open)).isEqualTo(new ClientMessage.Open("\u0001".repeat(WorldList.MAX_NAME)));
        assertThat(open).hasSizeLessThan(PageServer.MAX_MESSAGE_BYTES);
        assertThat(ClientMessage.parse(open.replace("\\", "\\u0001\\"))).isInstanceOf(ClientMessage.Impossible.class);
        assertThat(ClientMessage.parse("{\"type\":\"scale\",\"value\":4,\"more\":true}"))
                .isEqualTo(new ClientMessage.Scale(4));
        for (String type : new String[] {"pause", "resume", "step", "dragEnd"}) {
            assertThat(ClientMessage.parse("{\"type\":\"" + type + "\"}").name())
                    .isEqualTo(type);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | this is not one JSON object",
                "[] | this is not one JSON object",
                "{} | there is no message of type ''",
                "{\"type\":\"pause\"}{} | this is no JSON",
                "{type:\"pause\"} | this is no JSON",
                "{\"type\":7} | there is no message of type ''",
                "{\"type\":\"ack\",\"sequence\":[1]} | 'sequence' is not a plain value",
                "{\"type\":\"scale\",\"value\":NaN} | this is no JSON",
                "'{\"type\":\"pa\nuse\"}' | this is no JSON"
            })
    void shouldTakeNothingElse(String json, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientMessage.parse(json))
                .withMessageStartingWith(why);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"ack\"}",
                "{\"type\":\"ack\",\"sequence\":-1}",
                "{\"type\":\"ack\",\"sequence\":1.5}",
                "{\"type\":\"ack\",\"sequence\":4294967296}",
                "{\"type\":\"ack\",\"sequence\":\"1\"}",
                "{\"type\":\"history\",\"from\":1,\"count\":33}",
                "{\"type\":\"history\",\"from\":1,\"count\":0}",
                "{\"type\":\"history\",\"from\":1e300,\"count\":1}",
                "{\"type\":\"drag\",\"slot\":-1,\"generation\":1}",
                "{\"type\":\"drag\",\"slot\":1,\"generation\":2}",
                "{\"type\":\"rewind\",\"tick\":-1}",
                "{\"type\":\"worlds\"}",
                "{\"type\":\"open\",\"world\":7}",
                "{\"type\":\"scale\",\"value\":0}",
                "{\"type\":\"scale\",\"value\":4.01}",
                "{\"type\":\"wheel\",\"x\":-1000.1,\"y\":0}",
                "{\"type\":\"wheel\",\"x\":0,\"y\":1e99999}",
                "{\"type\":\"dragTo\",\"x\":1e13,\"y\":2,\"z\":1}"
            })
    void shouldSayWhyAValueIsImpossible(String json) {
        assertThat(ClientMessage.parse(json)).isInstanceOfSatisfying(ClientMessage.Impossible.class, impossible -> {
            assertThat(json).contains("\"" + impossible.name() + "\"");
            assertThat(impossible.why()).isNotEmpty();
        });
    }
}
