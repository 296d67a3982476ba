package dev.escapement.state.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.time.Timeline;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Timelines that go with windows: copied when they change, and kept as they are while a reader has one. */
class ExchangeTimelineTest {

    /** One reader continues while the others hold a timeline each: it sees all timelines that are left. */
    @ParameterizedTest
    @CsvSource({"2, 1, 3", "3, 2, 4", "4, 8, 10"})
    void shouldUseExactlyAsManyTimelinesAsItSays(int windowSize, int readers, int timelines) {
        ExchangeFixture fixture = new ExchangeFixture(windowSize, readers);
        fixture.publish(windowSize);
        Set<Timeline> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        SnapshotReader reader = fixture.exchange.attach();
        for (int i = 0; i < readers + 100; i++) {
            fixture.changeTimeline();
            fixture.publish();
            reader.acquire();
            seen.add(reader.window().timeline());
            if (i < readers - 1) {
                reader = fixture.exchange.attach();
            }
        }
        assertThat(seen).hasSize(timelines);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void shouldKeepAHeldTimelineAsItIs(int readers) {
        ExchangeFixture fixture = new ExchangeFixture(3, readers);
        fixture.publish(3);
        List<SnapshotReader> holding = new ArrayList<>();
        for (int r = 0; r < readers; r++) {
            fixture.changeTimeline();
            fixture.exchange.writer().publishAgain(fixture.timeline);
            SnapshotReader reader = fixture.exchange.attach();
            reader.acquire();
            holding.add(reader);
        }
        List<Long> changes = holding.stream()
                .map(reader -> reader.window().timeline().changes())
                .toList();
        List<String> contents = holding.stream()
                .map(reader -> reader.window().timeline().toString())
                .toList();
        assertThat(changes).doesNotHaveDuplicates();
        for (int i = 0; i < 100; i++) {
            fixture.changeTimeline();
            if (i % 3 == 0) {
                fixture.exchange.writer().publishAgain(fixture.timeline);
            } else {
                fixture.publish();
            }
            fixture.exchange.writer().checkInvariants();
            assertThat(holding)
                    .extracting(reader -> reader.window().timeline().changes())
                    .isEqualTo(changes);
            assertThat(holding)
                    .extracting(reader -> reader.window().timeline().toString())
                    .isEqualTo(contents);
        }
        for (SnapshotReader reader : holding) {
            assertThat(reader.acquire()).isTrue();
            assertThat(reader.window().timeline().changes()).isEqualTo(fixture.timeline.changes());
        }
    }

    @Test
    void shouldCopyATimelineOnlyWhenItHasChanged() {
        ExchangeFixture fixture = new ExchangeFixture(3, 1);
        SnapshotReader reader = fixture.exchange.attach();
        fixture.publish(3);
        reader.acquire();
        Timeline first = reader.window().timeline();
        for (int i = 0; i < 10; i++) {
            fixture.publish();
            reader.acquire();
            assertThat(reader.window().timeline()).isSameAs(first).isNotSameAs(fixture.timeline);
        }
        Timeline another = new Timeline(fixture.timeline.rate());
        another.start(7); // as many changes, but another timeline
        fixture.exchange.writer().publishAgain(another);
        reader.acquire();
        assertThat(reader.window().timeline().simNanosAt(8)).isEqualTo(1);
    }
}
