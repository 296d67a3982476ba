package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.PhysicsService;
import dev.escapement.state.Logged;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A page behind proxies, tunnels and mapped ports. */
@Timeout(60)
class BehindProxyTest {

    private static final String TOKEN = "0123456789abcdefghi-_Z";

    private final PhysicsService physics =
            PhysicsService.builder(TestWorld.of(3)).start();

    private LivePageBuilder builder() {
        return LivePage.of(physics.newReader()).token(TOKEN);
    }

    private static HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    /** As nginx does it: the prefix is cut off, or not; the host is that of the page, or that of the browser, with its port or without. */
    private static UnaryOperator<String> proxy(String way, int pagePort) {
        return head -> {
            String path = way.contains("cut") ? head.replaceFirst("GET /games/physics/", "GET /") : head;
            return way.contains("own host")
                    ? path.replaceFirst("Host: \\S+", "Host: 127.0.0.1:" + pagePort)
                    : way.contains("no port") ? path.replaceFirst("Host: ([^:\\s]+):\\d+", "Host: $1") : path;
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cut, own host",
                "cut, same host",
                "cut, no port",
                "left, own host",
                "left, same host",
                "left, no port"
            })
    void shouldServePageAndSocketBehindAPrefix(String way) throws Exception {
        try (LivePage page =
                        builder().hosts("localhost").prefix("/games/physics").start();
                ReverseProxy proxy = new ReverseProxy(
                        URI.create(page.url()).getPort(),
                        proxy(way, URI.create(page.url()).getPort()))) {
            URI there = URI.create("http://localhost:" + proxy.port() + "/games/physics/" + TOKEN + "/");
            assertThat(get(there.resolve("page.css")).statusCode()).isEqualTo(200);
            HttpResponse<String> withoutSlash = get(there.resolve("../" + TOKEN + "?x=1"));
            assertThat(withoutSlash.statusCode()).isEqualTo(307);
            assertThat(withoutSlash
                            .uri()
                            .resolve(withoutSlash
                                    .headers()
                                    .firstValue("Location")
                                    .orElseThrow()))
                    .isEqualTo(there.resolve("?x=1"));
            ServedPage.Page browser = new ServedPage.Page();
            ServedPage.open(there, browser);
            browser.await("hello");
            browser.awaitPicture();
            assertThat(get(there.resolve("../" + TOKEN.replace('Z', 'z') + "/")).statusCode())
                    .isEqualTo(403);
            assertThat(URI.create(page.url()).getPath()).isEqualTo("/games/physics/" + TOKEN + "/");
        } finally {
            physics.close();
        }
    }

    @Test
    void shouldRefuseHostsThatWereNotNamedAndLogTheFirst() throws Exception {
        try (Logged logged = new Logged("render");
                LivePage page =
                        builder().hosts("localhost:1", "physics.example.org").start();
                ReverseProxy proxy = new ReverseProxy(URI.create(page.url()).getPort(), head -> head)) {
            URI there = URI.create("http://localhost:" + proxy.port() + "/" + TOKEN + "/");
            assertThat(get(there.resolve("/" + TOKEN.replace('Z', 'z') + "/page.css"))
                            .statusCode())
                    .isEqualTo(403);
            assertThat(logged.records).isEmpty();
            for (int i = 0; i < 2; i++) {
                HttpResponse<String> refused = get(there.resolve("page.css"));
                assertThat(refused.statusCode()).isEqualTo(403);
                assertThat(refused.body()).isEmpty();
            }
            assertThat(logged.records)
                    .singleElement()
                    .extracting(LogRecord::getMessage)
                    .asString()
                    .contains("hosts(\"localhost:" + proxy.port() + "\")");
        } finally {
            physics.close();
        }
    }

    @Test
    void shouldLetNamedSitesHaveThePageInAFrame() throws Exception {
        LivePageBuilder builder = builder();
        try (LivePage page = builder.frameAncestors("https://tools.example.org", "http://localhost:9000")
                .start()) {
            String policy = get(URI.create(page.url()))
                    .headers()
                    .firstValue("Content-Security-Policy")
                    .orElseThrow();
            assertThat(policy.replaceFirst(".*frame-ancestors ", "").split(" "))
                    .containsExactlyInAnyOrder("https://tools.example.org", "http://localhost:9000");
            for (String bad : List.of("tools.example.org", "https://a/b", "https://*.org", "https://a; img-src *")) {
                assertThatThrownBy(() -> builder.frameAncestors(bad)).hasMessageContaining("but is '" + bad + "'");
            }
        } finally {
            physics.close();
        }
    }

    @Test
    void shouldKnowTheHostsAndOriginsThatWereNamed() {
        PageAccess access = new PageAccess(
                Set.of(PageAccess.checkHost("Physics.example.org"), PageAccess.checkHost("[::1]:9000")),
                "",
                PageAccess.newSecret(),
                Set.of());
        for (String host : List.of("physics.example.org", "PHYSICS.example.org:8443", "[::1]:9000", "127.0.0.1:80")) {
            assertThat(access.allowsHost(host, "127.0.0.1", 80)).as(host).isTrue();
        }
        for (String host : List.of(
                "example.org",
                "physics.example.org.evil.example",
                "physics.example.org:x",
                "physics.example.org:80:80",
                "physics.example.org:999999",
                "a@physics.example.org",
                "[::1]",
                "[::1]:9001",
                ":80",
                "")) {
            assertThat(access.allowsHost(host, "127.0.0.1", 80)).as(host).isFalse();
        }
        for (String origin : List.of(
                "https://physics.example.org", "https://physics.example.org:8443", "http://[::1]:9000", "http://own")) {
            assertThat(access.allowsOrigin(origin, "own")).as(origin).isTrue();
        }
        for (String origin : List.of(
                "null",
                "https://own",
                "physics.example.org",
                "ftp://physics.example.org",
                "https://physics.example.org/",
                "https://https://physics.example.org",
                "https://evil.example")) {
            assertThat(access.allowsOrigin(origin, "own")).as(origin).isFalse();
        }
    }

    @Test
    void shouldRefuseHostsPrefixesAndTokensThatCannotBe() {
        LivePageBuilder builder = builder();
        for (String host : List.of(
                "*", "*.example.org", "https://x", "x/y", "", "x:", "x:123456", "a b", "x\r\nSet-Cookie: y", "::1")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.hosts("localhost", host))
                    .withMessageContaining("is '" + host + "'")
                    .withMessageContaining("a wildcard would");
        }
        for (String prefix : List.of("..", "/..", "/a/../b", "/./a", "a", "//", "/a//b", "/a?b", "/%2e%2e", "/a b")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.prefix(prefix))
                    .withMessageContaining("'" + prefix + "'")
                    .withMessageContaining("such as /physics");
        }
        for (String token : List.of("", "ab", "a".repeat(21), "a".repeat(129), "a".repeat(30) + "/", "é".repeat(30))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.token(token))
                    .withMessageContaining("this one has " + token.length() + ", of which "
                            + token.replaceAll("[é/]", "").length())
                    .withMessageContaining("openssl rand -hex 16");
        }
        builder.hosts().prefix("").prefix("/").prefix("/a.b/c~d/").token("-".repeat(128));
        physics.close();
    }
}
