in float height;
out vec4 pixel;

void main() {
    vec3 colour = mix(vec3(0.900, 0.905, 0.910), vec3(0.680, 0.750, 0.830), smoothstep(0.0, 1.0, height));
    pixel = vec4(colour, 1.0);
}
